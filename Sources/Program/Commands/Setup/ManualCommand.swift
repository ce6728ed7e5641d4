import Arguments
import Files
import Glibc
import Installation

/// `bauta manual`: writes the manual pages.
enum ManualCommand {
    private static let force = Flag("force", letter: "f", help: "Replace existing files.")

    static let definition = CommandDefinition(
        name: "manual", overview: "Write the manual pages of all commands into a folder.",
        discussion: """
            The package installs them: man bauta, man bauta-photo. Their date is that of the program's commit, of \
            $SOURCE_DATE_EPOCH, or today.
            """,
        arguments: [
            ArgumentDefinition(name: "folder", help: "The folder; created if missing.", takesPaths: true, kind: .folder)
        ],
        options: [force],
        examples: ["bauta manual ~/.local/share/man/man1", "bauta manual /tmp/pages && man /tmp/pages/bauta-photo.1"],
        run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let folder = arguments.paths[0]
        try Folder.create(folder)
        let publication = ManualPage.Publication(date: date(), version: Program.version, sections: sections)
        for page in ManualPage.pages(for: Program.root, of: publication) {
            try AtomicFile.write(page.text, to: folder / FilePath(page.name + ".1"), replacing: arguments[force])
        }
        return .success
    }

    private static func date() -> String {
        if getenv("SOURCE_DATE_EPOCH") == nil, let date = SourceCommit.find()?.date { return date }
        var now = getenv("SOURCE_DATE_EPOCH").flatMap { time_t(String(cString: $0)) } ?? time(nil)
        var day = tm()
        gmtime_r(&now, &day)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day.tm_year + 1900)-\(two(day.tm_mon + 1))-\(two(day.tm_mday))"
    }

    /// The sections of the program's own page.
    private static let sections = [
        ManualPage.Section(
            "MODELS",
            [
                (
                    ModelOptions.all.map { "--\($0.definition.name)" }.joined(separator: ", "),
                    ModelOptions.topic.discussion.split(separator: "\n").joined(separator: " ")
                )
            ]),
        ManualPage.Section("EXIT STATUS", ExitCode.meanings.map { ("\($0.code.rawValue)", $0.meaning) }),
        ManualPage.Section(
            "ENVIRONMENT",
            [
                ("BAUTA_DATA", "The folder with face, masks, samples and shaders, unless it is next to the program."),
                ("XDG_DATA_HOME", "Holds bauta/masks, bauta/networks and bauta/people. Otherwise ~/.local/share."),
                ("XDG_CONFIG_HOME", "Holds bauta/live.json, edit.json and author.json. Otherwise ~/.config."),
                ("XDG_CACHE_HOME", "Holds cached data. Otherwise ~/.cache."),
                ("XDG_RUNTIME_DIR", "Holds the socket of bauta live --control-socket auto."),
                ("NO_COLOR", "If set and not empty, output has no colour."),
                (
                    "CLICOLOR",
                    "If 0, output has no colour. Otherwise only output to terminals is coloured."
                ),
                ("CLICOLOR_FORCE", "If set and not 0, output to pipes and files is coloured, too."),
            ]),
        ManualPage.Section(
            "FILES",
            [
                ("~/.local/share/bauta/masks", "Masks installed by 'bauta mask install'."),
                ("~/.local/share/bauta/networks", "MediaPipe's face networks, which 'bauta fetch-networks' fetches."),
                ("~/.local/share/bauta/people", "People enrolled by 'bauta people enroll'; readable only by you."),
                ("~/.config/bauta/live.json", "Choices made in the window of 'bauta live'."),
            ]),
    ]
}
