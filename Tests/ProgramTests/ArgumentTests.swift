import Foundation
import TestSupport
import Testing

@Suite struct ArgumentTests {
    @Test func versionAndHelp() throws {
        let version = try ProgramRun.bauta(["--version"])
        #expect(version.exitCode == 0 && version.error.isEmpty)
        let words = version.output.split(whereSeparator: \.isWhitespace)
        #expect(words[0] == "bauta" && words.count > 2)
        #expect(try Repository.text("CHANGELOG.md").contains("## [\(words[1])]"))
        for arguments in [["--help"], ["-h"], ["help"]] {
            let help = try ProgramRun.bauta(arguments)
            #expect(help.exitCode == 0 && help.output.contains("COMMANDS:"), "\(arguments)")
            #expect(!help.output.contains("lab ") && !help.output.contains("complete "), "\(help.output)")
        }
        // Options that the short help only names are described.
        let (short, whole) = (try ProgramRun.bauta(["photo", "--help"]), try ProgramRun.bauta(["help", "photo"]))
        #expect(short.output.contains("see 'bauta help photo'") && !whole.output.contains("see 'bauta help photo'"))
        #expect(whole.output.contains("\n  --contact-sheet <folder>") && whole.output.contains("\n  --detector <"))
    }

    @Test(arguments: [
        [], ["photo"], ["mask"], ["mask", "list"], ["mask", "show"], ["lab"], ["lab", "mesh"],
        ["lab", "bench", "photo"], ["doctor"], ["live"], ["video"], ["track"], ["capture"], ["people", "enroll"],
    ])
    func helpFitsOneScreenAndHasExamples(_ command: [String]) throws {
        let help = try ProgramRun.bauta(command + ["--help"])
        #expect(help.exitCode == 0)
        #expect(help.output.contains("\n\nUSAGE: bauta"))
        if command != ["mask"] { #expect(help.output.contains("\n\nEXAMPLES:\n")) }
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 61, "\(command): \(lines.count)")
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func withoutArgumentsItSaysWhatOneDoesMost() throws {
        let run = try ProgramRun.bauta([])
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(run.exitCode == 0 && lines.count <= 11 && lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        #expect(run.output.contains("bauta help COMMAND"))
    }

    @Test func theModelsHaveATopic() throws {
        let help = try ProgramRun.bauta(["help", "models"])
        #expect(help.exitCode == 0 && help.output.contains("may not be used commercially"), "\(help.output)")
        for name in ["--detector", "--landmarks", "--model"] { #expect(help.output.contains(name)) }
        #expect(try ProgramRun.bauta(["photo", "--help"]).output.contains("see 'bauta help models'"))
        #expect(try ProgramRun.bauta(["help", "modles"]).error.contains("Did you mean 'models'?"))
    }

    /// What the help of `photo` says, word for word. BAUTA_RECORD_GOLDENS=1 records it, to be read.
    @Test func helpOfPhoto() throws {
        let path = Repository.root + "/Tests/Goldens/photo-help.txt"
        let help = try ProgramRun.bauta(["photo", "--help"]).output
        if ProcessInfo.processInfo.environment["BAUTA_RECORD_GOLDENS"] == "1" {
            try help.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == help)
    }

    @Test(arguments: [
        (["fhoto"], "Did you mean 'photo'?"), (["photo", "--ouput", "x", "a"], "Did you mean '--output'?"),
        (["photo", "--rec", "a"], "Did you mean '--recursive'?"), (["mask", "lits"], "Did you mean 'list'?"),
        (["photo"], "Missing expected argument '<input>'"), (["photo", "--mask"], "Missing value for '--mask"),
        (["photo", "--quality=0", "a"], "from 1 to 100"), (["photo", "--quality", "high", "a"], "from 1 to 100"),
        (["photo", "--faces", "some", "a"], "'all', 'largest' or a number"),
        (["photo", "--format", "bmp", "a"], "one of jpeg, png"),
        (
            ["photo", "--min-face", "40", "a"],
            "such as 40px (1px to 100000px), or a share of the picture's height, such as 10%"
        ),
        (["photo", "--min-face", "+40px", "a"], "such as 40px"),
        (["photo", "--min-face", "0x10%", "a"], "such as 40px"),
        (["photo", "--draw", "nose", "a"], "landmarks, mesh, boxes"),
        (["video", "--json", "faces.json", "a.mp4"], "use --report faces.json"),
        (["photo", "--quiet=yes", "a"], "does not take a value"), (["photo", "-z", "a"], "Unknown option '-z'"),
        (["mask", "show", "a", "b"], "Unexpected argument 'b'"), (["--nonsense"], "Unknown option '--nonsense'"),
    ])
    func mistakesAreExplained(_ arguments: [String], _ message: String) throws {
        let run = try ProgramRun.bauta(arguments)
        #expect(run.exitCode == 64)
        #expect(run.error.contains(message), "\(run.error)")
        #expect(run.error.hasPrefix("bauta: ") && run.error.contains("--help") && run.output.isEmpty)
    }

    /// Frames and statistics would be mixed in standard output, whatever name it has.
    @Test func twoOutputsOfASessionAreNotOneFile() throws {
        let live = ["live", "drawn", "--headless", "--frames", "1"]
        for (output, statistics) in [
            ("-", "-"), ("-", "/dev/stdout"), ("/dev/fd/1", "-"), ("/dev/stdout", "/proc/self/fd/1"),
        ] {
            let run = try ProgramRun.bauta(live + ["--output", output, "--report", statistics])
            #expect(run.exitCode == 64 && run.output.isEmpty, "\(output) \(statistics): \(run.exitCode)")
            #expect(run.error.contains("would write to the same file as --output"), "\(run.error)")
        }
    }

    @Test func startingIsLight() throws {
        let libraries = try ProgramRun.run("/usr/bin/ldd", [Repository.executable]).output.split(separator: "\n")
        #expect(libraries.count <= 90)
        #expect(!libraries.contains { $0.contains("not found") })
        for heavy in ["imgcodecs", "videoio", "highgui", "libFoundation.so", "ICU"] {
            #expect(!libraries.contains { $0.contains(heavy) }, "\(heavy)")
        }
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let run = try ProgramRun.run("/bin/sh", ["-c", "'\(Repository.executable)' photo --help | head -1"])
        #expect(run.output.hasPrefix("Put a mask") && run.error.isEmpty)
    }
}

extension StringProtocol {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
