import Foundation
import JSON
import TestSupport
import Testing

/// Standard output and standard error, whatever they are and whatever is printed.
@Suite struct ConsoleTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs commands in a shell, in which `bauta` is the program and `$domino` the folder of that mask, in a folder whose
    /// installed masks are those of the test.
    private func shell(_ commands: String) throws -> ProgramRun {
        try ProgramRun.shell(
            commands, folder: folder.path,
            environment: [
                "XDG_DATA_HOME": folder.path + "/data", "TMPDIR": folder.path,
                "domino": Repository.root + "/masks/domino",
            ])
    }

    // MARK: Standard output that takes nothing

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "--version", "--help", "mask list", #"mask show "$domino""#, #"mask check "$domino""#,
            #"mask check --json "$domino""#, "mask check --codes",
        ])
    func aFullDiskIsNoSuccess(_ arguments: String) throws {
        let run = try shell("bauta \(arguments) > /dev/full")
        #expect(run.exitCode == 74, "\(run.error)")
        #expect(run.error.contains("standard output: cannot be written: No space left on device"), "\(run.error)")
    }

    @Test func aClosedStreamIsNoSuccess() throws {
        let run = try shell("bauta --version >&-")
        #expect(run.exitCode == 74 && run.error.contains("Bad file descriptor"), "\(run.error)")
        // Its number must not become that of the report.
        try folder.write(try bytes(of: Repository.root + "/samples/ada.jpg"), "ada.jpg")
        let photo = try shell("bauta photo ada.jpg --report r.jsonl 2>&- >&-")
        #expect(photo.exitCode == 0)
        let report = try String(contentsOfFile: folder.path + "/r.jsonl", encoding: .utf8)
        #expect(report.split(separator: "\n").count == 1 && report.hasPrefix("{"), "\(report)")
    }

    @Test func aReaderMayGoAway() throws {
        let run = try shell("bauta mask check --codes | true; echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n" && run.error.isEmpty, "\(run.error)")
    }

    // MARK: Texts of strangers

    /// Clears the screen, sets the title, goes to the left by a C1 control, turns the direction, and forges a line.
    private static let hostile = "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}3D\u{202E}\nok: no problems\r"

    /// What a terminal would obey, but for the ends of lines.
    private func obeyed(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.value == 0x202E)
        }
    }

    @Test func masksDoNotCommandTheTerminal() throws {
        let text = JSONValue.string(Self.hostile).text()
        let layer = #"{"type": "warp", "live": "face"}"#
        let head =
            #""format": 1, "name": \#(text), "description": \#(text), "author": \#(text), "license": \#(text)"#
        try folder.write("{\(head), \"layers\": [\(layer)]}", "data/bauta/masks/evil/mask.json")
        try folder.write("{\(head), \"layers\": [{\"type\": \(text)}], \(text): 0}", "faulty/mask.json")
        for (command, lines) in [
            ("mask list", nil), ("mask show evil", 8), ("mask check faulty", 7), ("mask show faulty", 1),
            ("photo --mask faulty x.jpg", nil), ("mask check --json faulty", nil),
        ] {
            let run = try shell("bauta \(command)")
            #expect(obeyed(run.output + run.error).isEmpty, "\(command): \(run.output) \(run.error)")
            #expect(!(run.output + run.error).split(separator: "\n").contains { $0.hasPrefix("ok:") }, "\(command)")
            let count = (run.output + run.error).split(separator: "\n").count
            if let lines { #expect(count == lines, "\(command): \(run.output) \(run.error)") }
        }
        let json = try JSONValue(parsing: try shell("bauta mask check --json faulty").output)
        let pointers = json[0]?["problems"]?.elements.compactMap { $0["pointer"]?.string }
        #expect(pointers?.contains("/" + Self.hostile) == true, "programs get the text itself: \(pointers ?? [])")
    }
}
