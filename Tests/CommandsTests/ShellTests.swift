import Foundation
import TestSupport
import Testing

/// Completions in the real shells, on a real screen: tmux shows what somebody would see.
@Suite(
    .enabled(
        if: ["tmux", "zsh", "fish"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") },
        "tmux, zsh and fish are not installed; scripts/test installs them"))
struct ShellTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["Day of the Dead", "evil; touch harm"] {
            try folder.write(#"{"format": 1, "name": "x", "layers": []}"#, "data/bauta/masks/\(name)/mask.json")
        }
        for name in ["holiday é.JPG", "holiday.txt", "other.png"] { try folder.write("", "work/Pictures/\(name)") }
        try folder.write("", "work/mine/mask.json")
        try folder.write("", "work/minute.txt")
    }

    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish

        /// What starts it without the user's settings, with a short prompt and the completions.
        func command(in folder: TemporaryFolder) throws -> [String] {
            switch self {
            case .bash:
                let start = try folder.write("PS1='> '\nsource <(bauta completions bash)\n", "bashrc")
                return ["bash", "--noprofile", "--rcfile", start, "-i"]
            case .zsh:
                try folder.write(
                    "PS1='> '\nautoload -Uz compinit\ncompinit -u -D\nsource <(bauta completions zsh)\n", "zsh/.zshrc")
                return ["env", "ZDOTDIR=\(folder.path)/zsh", "zsh", "-d", "-i"]
            case .fish:
                let start =
                    "function fish_prompt; echo -n '> '; end; function fish_greeting; end; "
                    + "set -g fish_autosuggestion_enabled 0; bauta completions fish | source"
                return ["fish", "--no-config", "-C", start]
            }
        }
    }

    /// What is typed, and what the line is after the Tab key.
    static let cases = [
        ("bauta ph", "> bauta photo"),
        ("bauta help mask tem", "> bauta help mask template"),
        ("bauta photo --rec", "> bauta photo --recursive"),
        ("bauta photo --renderer soft", "> bauta photo --renderer software"),
        ("bauta photo --renderer=soft", "> bauta photo --renderer=software"),
        ("bauta photo --draw=mesh,bo", "> bauta photo --draw=mesh,boxes"),
        ("bauta photo --mask sug", "> bauta photo --mask sugar-skull"),
        ("bauta photo --mask=Day", #"> bauta photo --mask=Day\ of\ the\ Dead"#),
        (#"bauta mask show Day\ o"#, #"> bauta mask show Day\ of\ the\ Dead"#),
        (#"bauta mask show "Day o"#, #"> bauta mask show "Day of the Dead""#),
        ("bauta mask remove ev", #"> bauta mask remove evil\;\ touch\ harm"#),
        ("bauta photo Pictures/hol", #"> bauta photo Pictures/holiday\ é.JPG"#),
        (#"bauta photo "Pictures/hol"#, #"> bauta photo "Pictures/holiday é.JPG""#),
        ("bauta photo ~/work/Pictures/hol", #"> bauta photo ~/work/Pictures/holiday\ é.JPG"#),
        ("bauta photo Pic", "> bauta photo Pictures/"),
        ("bauta mask pack mi", "> bauta mask pack mine/"),
        ("bauta photo --report=Pictures/holiday.t", "> bauta photo --report=Pictures/holiday.txt"),
        ("bauta control cover tog", "> bauta control cover toggle"),
        ("bauta completions fi", "> bauta completions fish"),
    ]

    @Test(arguments: Shell.allCases) func wordsAreCompleted(_ shell: Shell) throws {
        let terminal = try Terminal(shell.command(in: folder), folder: folder)
        defer { terminal.close() }
        try terminal.waitForLine(">")
        for (typed, completed) in Self.cases {
            try terminal.type(typed)
            try terminal.waitForLine("> " + typed)
            try terminal.press("Tab")
            try terminal.waitForLine(completed)
            try terminal.press("C-u")
            try terminal.waitForLine(">")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/work/harm"))
        // Nothing fits, so nothing happens; the next line shows that the shell has gone on.
        for typed in ["bauta nothing x", "bauta photo --quality 9", "bauta mask pack minut"] {
            try terminal.type(typed)
            try terminal.press("Tab")
            try terminal.type("#")
            try terminal.waitForLine("> \(typed)#")
            try terminal.press("C-u")
            try terminal.waitForLine(">")
        }
    }
}

/// A terminal of tmux with a program in it.
private struct Terminal {
    private let socket: String

    init(_ command: [String], folder: TemporaryFolder) throws {
        socket = folder.path + "/tmux"
        let path = (Repository.executable as NSString).deletingLastPathComponent
        let run = try ProgramRun.run(
            "/usr/bin/tmux",
            [
                "-u", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "40",
                "-c", folder.path + "/work",
            ] + command,
            environment: [
                "PATH": path + ":/usr/bin:/bin", "XDG_DATA_HOME": folder.path + "/data", "LC_ALL": "C.UTF-8",
                "HOME": folder.path, "SHELL": "/bin/sh", "TERM": "xterm",
            ])
        guard run.exitCode == 0 else { throw WaitingFailure("tmux: \(run.error)") }
    }

    func close() { _ = try? tmux("kill-server") }

    func type(_ text: String) throws { try tmux("send-keys", "-l", text) }
    func press(_ key: String) throws { try tmux("send-keys", key) }

    /// Waits until the last line that is not empty is this one.
    func waitForLine(_ line: String) throws {
        try wait(for: "the line '\(line)'") {
            try tmux("capture-pane", "-p")
        } until: { screen in
            let lines = screen.split(separator: "\n").map { $0.replacing(#/ +$/#, with: "") }
            return lines.last { !$0.isEmpty } == line
        }
    }

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let run = try ProgramRun.run("/usr/bin/tmux", ["-u", "-S", socket] + words)
        guard run.exitCode == 0 else { throw WaitingFailure("tmux \(words): \(run.error)") }
        return run.output
    }
}
