import Files
import Foundation
import JSON
import TestSupport
import Testing

/// Every input appears in the report and in the summary, whatever its name and content.
extension PhotoCommandTests {
    /// Writes a photograph under a name of any bytes.
    private func write(_ sample: String, _ name: [UInt8]) throws {
        let path = FilePath(folder.path) / FilePath(bytes: name)
        let content = try bytes(of: "\(samples)/\(sample).jpg")
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o644) }
        try #require(descriptor >= 0)
        #expect(Glibc.write(descriptor, content, content.count) == content.count)
        close(descriptor)
    }

    private func report() throws -> [JSONValue] {
        try String(contentsOfFile: folder.path + "/r.jsonl", encoding: .utf8).split(separator: "\n")
            .map { try JSONValue(parsing: String($0)) }
    }

    @Test func namesThatUnicodeTakesForEqualAreTwoPhotographs() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
        try write("ada", Array("in/caf\u{E9}.jpg".utf8))
        try write("emre", Array("in/cafe\u{301}.jpg".utf8))
        let run = try photo(["in", "--report", "r.jsonl"])
        #expect(run.exitCode == 0 && run.error.contains("2 masked, 0 no face, 0 failed"), "\(run.error)")
        #expect(folder.results(in: "masked").count == 2)
        #expect(try report().count == 2)
    }

    /// As they are on old disks, and in archives from other systems.
    @Test func namesThatAreNotUTF8AreMasked() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
        try write("ada", Array("in/caf".utf8) + [0xE9] + Array(".jpg".utf8))
        // Found in a folder, from a list, and on the command line.
        let found = try photo(["in", "--report", "r.jsonl"])
        #expect(found.exitCode == 0 && found.error.contains("1 masked, 0 no face, 0 failed"), "\(found.error)")
        #expect(found.error.contains("in/caf\\xE9.jpg: 1 face -> masked/caf\\xE9.jpg"))
        let line = try #require(try report().first)
        #expect(line["path"]?.string == "in/caf\u{FFFD}.jpg" && line["pathBytes"]?.string == "in/caf%E9.jpg")
        #expect(
            line["output"]?.string == "masked/caf\u{FFFD}.jpg" && line["outputBytes"]?.string == "masked/caf%E9.jpg")
        let listed = try photo(["-", "-o", "listed"], input: Array("in/caf".utf8) + [0xE9] + Array(".jpg".utf8) + [0])
        #expect(listed.exitCode == 0 && listed.error.contains("1 masked"), "\(listed.error)")
        let command =
            "exec '\(Repository.executable)' photo --output=\"$(printf 'out\\351')\" \"$(printf 'in/caf\\351.jpg')\""
        let named = try ProgramRun.run("/bin/sh", ["-c", command], folder: folder.path)
        #expect(named.exitCode == 0 && named.error.contains("-> out\\xE9/caf\\xE9.jpg"), "\(named.error)")
    }

    @Test func otherFilesAreNamedAndReported() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        try folder.write("notes", "in/notes.txt")
        try folder.write("<html>not found</html>", "in/holiday.jpg")
        symlink("nowhere.jpg", folder.path + "/in/broken.jpg")
        mkfifo(folder.path + "/in/pipe", 0o600)
        let run = try photo(["in", "--report", "r.jsonl"])
        #expect(
            run.exitCode == 1 && run.error.contains("1 masked, 0 no face, 3 failed, 1 not a picture"), "\(run.error)")
        for words in [
            "in/holiday.jpg: is not a JPEG, PNG", "in/broken.jpg: cannot be read: No such file",
            "in/pipe: is not a regular file", "in/notes.txt: is not a JPEG, PNG",
        ] { #expect(run.error.contains(words), "\(words) in \(run.error)") }
        let states = try report().map { ($0["path"]?.string ?? "") + " " + ($0["status"]?.string ?? "") }.sorted()
        #expect(
            states == [
                "in/ada.jpg masked", "in/broken.jpg failed", "in/holiday.jpg failed", "in/notes.txt ignored",
                "in/pipe failed",
            ])
        #expect(try report().allSatisfy { ($0["error"] == nil) == ($0["status"]?.string == "masked") })
    }

    /// A folder there would keep later runs from remembering what they have done.
    @Test(arguments: [
        ["-o", "out/.bauta-photo.jsonl"], ["-o", ".bauta-photo.jsonl/ada.jpg"],
        ["-o", "out/.bauta-photo.1-of-2.jsonl/"],
        ["-o", "out", "--contact-sheet", "out/.bauta-photo.jsonl"],
    ]) func noFolderGetsANameOfBautasOwnFiles(_ arguments: [String]) throws {
        let run = try photo(["\(samples)/ada.jpg"] + arguments)
        let isSaid = run.error.contains("reserved for Bauta's own files")
        #expect(run.exitCode == 73 && isSaid, "\(run.exitCode) \(run.error)")
        #expect(try folder.names() == [])
    }

    @Test func aReportReplacesOnlyFiles() throws {
        mkfifo(folder.path + "/pipe", 0o600)
        for path in ["pipe", "/dev/full"] {
            let run = try photo(["\(samples)/ada.jpg", "--report", path, "--force"])
            #expect(
                run.exitCode == 73 && run.error.contains("a device, a pipe or a socket, not a file"), "\(run.error)")
        }
        #expect(try folder.names() == ["pipe"])
    }
}
