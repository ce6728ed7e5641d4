import Arguments
import Commands
import Foundation
import TestSupport
import Testing

/// Manual pages, `--version`, exit codes and colours.
@Suite struct ManualTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pages() throws -> [String] {
        let run = try ProgramRun.bauta(["manual", folder.path + "/man"], environment: ["SOURCE_DATE_EPOCH": "86400"])
        #expect(run.exitCode == 0, "\(run.error)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path + "/man").sorted()
    }

    @Test func everyCommandHasAPage() throws {
        let names = try pages()
        for name in [
            "bauta", "bauta-photo", "bauta-mask", "bauta-mask-new", "bauta-lab-evaluate-stability", "bauta-lab",
        ] {
            #expect(names.contains(name + ".1"))
        }
        #expect(!names.contains("bauta-complete.1"))
        let text = try String(contentsOfFile: folder.path + "/man/bauta.1", encoding: .utf8)
        #expect(text.contains(" 1970-01-02 ") && text.contains("EXIT STATUS") && text.contains("NO_COLOR"))
        #expect(try ProgramRun.bauta(["manual", folder.path + "/man"]).exitCode == 73)
        #expect(try ProgramRun.bauta(["manual", "--force", folder.path + "/man"]).exitCode == 0)
    }

    @Test(
        .enabled(
            if: ["man", "mandoc"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") },
            "man-db and mandoc are not installed; scripts/test installs them"))
    func pagesHaveNoMistakes() throws {
        let paths = try pages().map { folder.path + "/man/" + $0 }
        let lint = try ProgramRun.run("/usr/bin/mandoc", ["-T", "lint", "-W", "warning"] + paths)
        #expect(lint.exitCode == 0 && lint.output.isEmpty, "\(lint.output)")
        // As lintian calls it.
        let command = "for page; do man --warnings -E UTF-8 -l -Tutf8 -Z \"$page\" > /dev/null; done"
        let man = try ProgramRun.run(
            "/bin/sh", ["-c", command, "sh"] + paths, environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "80"])
        #expect(man.exitCode == 0 && man.error.isEmpty, "\(man.error)")
    }

    /// `bauta help COMMAND` leaves out nothing that the manual page says of options.
    @Test func theWholeHelpDescribesEveryOption() {
        func check(_ command: CommandDefinition, _ path: String) {
            for subcommand in command.documentedSubcommands { check(subcommand, "\(path) \(subcommand.name)") }
            guard command.run != nil else { return }
            let help = HelpText.text(for: command, path: path, columns: 120, isWhole: true)
            let words = help.split { $0.isWhitespace }.joined(separator: " ")
            for option in command.options.map(\.definition) where !option.isHidden {
                let text = (option.details ?? option.help).split { $0.isWhitespace }.joined(separator: " ")
                #expect(help.contains("--\(option.name)") && words.contains(text), "\(path) --\(option.name)")
            }
        }
        check(Program.root, "bauta")
    }

    /// Every option that names a file, a folder, a mask or a camera in the help says so to the completions, too.
    @Test func kindsOfValuesAreDeclared() {
        func check(_ command: CommandDefinition, _ path: String) {
            for option in command.options.map(\.definition) {
                guard let value = option.value else { continue }
                let names = ["file", "folder", "path", "mask", "portrait", "device"].filter(value.contains)
                let isOffered = option.kind.paths != .none || !option.kind.words([]).isEmpty || value.contains("device")
                #expect(names.isEmpty || isOffered, "\(path) --\(option.name) <\(value)>")
                let choices = value.split(separator: "|")
                if choices.count > 1, names.isEmpty, !value.contains("number") {
                    let words = Set(option.kind.words([]).map(\.word))
                    #expect(choices.contains { words.contains(String($0)) }, "\(path) --\(option.name) <\(value)>")
                }
            }
            for argument in command.arguments where argument.takesPaths && command.visibility != .hidden {
                let isOffered = argument.kind.paths != .none || !argument.kind.words([]).isEmpty
                #expect(isOffered, "\(path) <\(argument.name)>")
            }
            for subcommand in command.subcommands { check(subcommand, "\(path) \(subcommand.name)") }
        }
        check(Program.root, "bauta")
    }

    @Test func theVersionNamesWhatTheProgramIsMadeOf() throws {
        let run = try ProgramRun.bauta(["--version"])
        #expect(run.exitCode == 0 && run.output.hasPrefix("bauta \(Program.version)\n"), "\(run.output)")
        for part in [
            "commit ", "renderer   software", "excludes commercial use", "dlib ", "OpenCV ", "libpng ", "Jansson ",
            "SDL ",
        ] {
            #expect(run.output.contains(part), "\(part) in \(run.output)")
        }
        let head = try ProgramRun.run("/usr/bin/git", ["-C", Repository.root, "rev-parse", "HEAD"])
        guard head.exitCode == 0 else { return }
        #expect(run.output.contains(head.output.prefix(40)), "\(run.output)")
    }

    /// An installation, and what is built from a release's archive, have no `.git`.
    @Test func aReleaseKnowsItsCommit() throws {
        let archive = try ProgramRun.run(
            "/bin/sh", ["-c", "git -C \"$0\" archive HEAD COMMIT | tar -xO", Repository.root])
        guard archive.exitCode == 0, archive.output.count > 40 else { return }
        try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Repository.executable, toPath: folder.path + "/bin/bauta")
        let commit = try folder.write(archive.output, "share/bauta/COMMIT")
        for name in ["face", "shaders"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/share/bauta/\(name)", withDestinationPath: Repository.root + "/" + name)
        }
        let run = try ProgramRun.run(folder.path + "/bin/bauta", ["--version"])
        let words = archive.output.split(whereSeparator: \.isWhitespace)
        #expect(run.output.contains("commit     \(words[0]), \(words[1])\n"), "\(run.output) \(run.error)")
        // The placeholder is no commit.
        try FileManager.default.removeItem(atPath: commit)
        try folder.write("$" + "Format:%H %cs$\n", "share/bauta/COMMIT")
        #expect(try ProgramRun.run(folder.path + "/bin/bauta", ["--version"]).output.contains("commit     unknown\n"))
    }

    @Test func thePageOfExitCodesIsComplete() throws {
        #expect(try Repository.text("docs/reference/exit-codes.md").contains(ExitCode.markdown), "\(ExitCode.markdown)")
    }

    @Test(arguments: [
        ([:], "MISSING  data:"), (["CLICOLOR_FORCE": "1", "NO_COLOR": ""], "\u{1B}[31mMISSING\u{1B}[0m  data:"),
        (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], "MISSING  data:"),
    ])
    func pipesGetNoColours(_ environment: [String: String], _ line: String) throws {
        let run = try ProgramRun.bauta(["doctor"], environment: environment.merging(["BAUTA_DATA": folder.path]) { $1 })
        #expect(run.exitCode == 69 && run.output.contains("\n\(line)"), "\(run.output)")
        let wrong = try ProgramRun.bauta(["nothing"], environment: environment)
        #expect(wrong.error.hasPrefix("bauta:") == line.hasPrefix("M"), "\(wrong.error)")
    }

    @Test func terminalsShowColours() throws {
        let command = "'\(Repository.executable)' mask show /nowhere"
        let run = try ProgramRun.run(
            "/usr/bin/script", ["-qefc", command, "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": "", "CLICOLOR": "1"])
        #expect(run.output.contains("\u{1B}[31mbauta:\u{1B}[0m there is no mask"), "\(run.output)")
    }
}
