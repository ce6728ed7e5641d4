import Files
import Foundation
import ImageFiles
import JSON
import Pixels
import TestSupport
import Testing

/// Nothing is lost, overwritten or left half done.
extension PhotoCommandTests {
    // MARK: Nothing is lost

    @Test func oneBadFileNeverStopsTheRest() throws {
        let good = try copy("ada", to: "in/good.jpg")
        try folder.write([], "in/empty.jpg")
        try folder.write(Array("GIF89a".utf8), "in/a.gif")
        try folder.write(PNGBuilder(width: 60_000, height: 60_000, colorType: 6, rows: [[0]]).bytes, "in/huge.png")
        let run = try photo(["in", folder.path + "/missing.jpg", Repository.root + "/README.md"])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("1 masked, 0 no face, 5 failed"), "\(run.error)")
        for message in [
            "in/empty.jpg: is empty", "in/a.gif: is damaged", "in/huge.png: claims to be 60000 × 60000",
            "missing.jpg: cannot be read: No such file", "README.md: is not a JPEG, PNG",
        ] { #expect(run.error.contains(message), "\(message) in \(run.error)") }
        #expect(FileManager.default.fileExists(atPath: good))
        #expect(folder.results(in: "masked") == ["good.jpg"])
    }

    /// The report would replace the picture.
    @Test func twoOutputsAreNotOneFile() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        for (output, report) in [
            ("a.jpg", "a.jpg"), ("a.jpg", "./a.jpg"), ("new/a.jpg", "new/x/../a.jpg"), ("m", "m/ada.jpg"),
        ] {
            let run = try photo(["in/ada.jpg", "-o", output, "--report", report, "--force"])
            #expect(run.exitCode == 64 && run.error.contains("would be the same file"), "\(run.error)")
            #expect(try folder.names() == ["in", "in/ada.jpg"])
        }
    }

    @Test func nothingIsOverwritten() throws {
        let input = try copy("ada", to: "in/ada.jpg")
        let original = try bytes(of: input)
        #expect(try photo(["in/ada.jpg"]).exitCode == 0)
        let first = try bytes(of: folder.path + "/masked/ada.jpg")
        let second = try photo(["in/ada.jpg", "--mask", "skull"])
        #expect(second.exitCode == 1 && second.error.contains("was made with other settings"))
        #expect(try bytes(of: folder.path + "/masked/ada.jpg") == first)
        #expect(try photo(["in/ada.jpg", "--mask", "skull", "--force"]).exitCode == 0)
        #expect(try bytes(of: folder.path + "/masked/ada.jpg") != first)
        // An input not even with --force, under whatever name.
        for output in ["in", "in/", "in/../in", folder.path + "/in"] {
            let run = try photo(["in/ada.jpg", "-o", output, "--force"])
            #expect(run.exitCode == 1 && run.error.contains("would overwrite an input"), "\(output): \(run.error)")
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "in")
        #expect(try photo(["in/ada.jpg", "-o", "link", "-f"]).error.contains("would overwrite an input"))
        #expect(try bytes(of: input) == original)
    }

    @Test func twoPhotographsNeverShareAResult() throws {
        _ = try copy("ada", to: "a/x.jpg")
        _ = try copy("emre", to: "b/x.jpg")
        let run = try photo(["a/x.jpg", "b/x.jpg", "--force"])
        #expect(run.exitCode == 1 && run.error.contains("would overwrite that of a/x.jpg"), "\(run.error)")
        #expect(run.error.contains("1 masked, 0 no face, 1 failed"))
        // The same file twice is one photograph.
        #expect(try photo(["a/x.jpg", "a/x.jpg", "-o", "c"]).error.contains("1 masked"))
    }

    @Test func resultsOfAnEarlierRunAreNotMaskedAgain() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["-r", "in", "-o", "in/masked"]).exitCode == 0)
        let again = try photo(["-r", "in", "-o", "in/masked", "-f"])
        #expect(again.exitCode == 0 && again.error.contains("1 masked"), "\(again.error)")
    }

    @Test func resultsAmongThePhotographsAreCounted() throws {
        _ = try copy("ada", to: "in/trip/ada.jpg")
        #expect(try photo(["in/trip", "-o", "in/trip masked"]).exitCode == 0)
        let run = try photo(["-r", "in", "-o", "out"])
        #expect(run.exitCode == 0 && run.error.contains("1 result of earlier runs was left out"), "\(run.error)")
        #expect(folder.results(in: "out") == ["trip"])
        // Whoever names them has them masked.
        #expect(try photo(["in/trip masked", "-o", "both"]).exitCode == 0)
        #expect(folder.results(in: "both") == ["ada.jpg"])
    }

    /// Of many clashes, the first ones are told, and all are counted.
    @Test func manyClashesAreNotListed() throws {
        for index in 0..<13 {
            try folder.write("", "a/\(index).jpg")
            try folder.write("", "b/\(index).jpg")
        }
        for options in [[], ["-q"]] {
            let run = try photo(["a", "b"] + options)
            let clashes = run.error.split(separator: "\n").filter { $0.contains("would overwrite that of") }
            #expect(run.exitCode == 1 && clashes.count == 10, "\(run.error)")
            #expect(run.error.contains("3 more photographs were not masked"), "\(run.error)")
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func aFullDiskIsSaidAndLeavesNoHalfFile() throws {
        let disk = try SmallDisk(kilobytes: 60)
        let run = try photo(["\(samples)/ada.jpg", "\(samples)/emre.jpg", "-o", disk.path, "--quality", "98"])
        #expect(run.exitCode == 1 && run.error.contains("No space left on device"), "\(run.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }

    /// A photograph in a folder that a killed run left among the results.
    @Test func inputsInWhatIsClearedStay() throws {
        let name = try leavePendingFolder(in: "out")
        try folder.write(SmallSample.bytes("ada"), "out/" + name + "/ada.jpg")
        try folder.write("x", "out/" + name + "/other")
        let input = "out/" + name + "/ada.jpg"
        let run = try ProgramRun.bauta(["photo", "--occluders", "none", input, "-o", "out"], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try folder.names().filter { $0.contains(name + "/") } == [input])
    }

    /// As a killed run leaves it.
    /// - Returns: its name.
    private func leavePendingFolder(in parent: String) throws -> String {
        let pending = try PendingFolder(in: FilePath(folder.path))
        let name = pending.path.name.description
        try folder.write("", parent + "/x")
        #expect(rename(folder.path + "/" + name, folder.path + "/" + parent + "/" + name) == 0)
        // Finds nothing to delete, and gives back the lock.
        _ = consume pending
        return name
    }

    /// A folder of somebody else's that is mounted in what a killed run left.
    @Test(.enabled(if: SmallDisk.isPossible, "mounting needs root")) func mountedFilesInClearedFoldersStay() throws {
        let name = try leavePendingFolder(in: "out")
        try folder.write("", "out/" + name + "/kept/x")
        try folder.write("whole", "other/file")
        _ = try copy("ada", to: "in/ada.jpg")
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "unshare", "--mount", "sh", "-c", #"mount --bind other "$1" && shift && exec "$@""#, "sh",
                "out/" + name + "/kept", Repository.executable, "photo", "--occluders", "none", "in/ada.jpg", "-o",
                "out",
            ], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try folder.names().contains("other/file"))
        // Without the mount, it goes.
        #expect(try photo(["in/ada.jpg", "-o", "out", "--force"]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out/" + name))
    }

    @Test(.enabled(if: Nobody.isPossible, "needs root, and a checkout that everybody may read"))
    func filesThatMayNotBeReadOrWritten() throws {
        chmod(folder.path, 0o755)
        let secret = try copy("ada", to: "secret.jpg")
        chmod(secret, 0o600)
        let read = try Nobody.run(Repository.executable, ["photo", secret, "-o", folder.path + "/out"])
        #expect(
            read.exitCode == 1 && read.error.contains("secret.jpg: cannot be read: Permission denied"), "\(read.error)")
        let open = try copy("ada", to: "open.jpg")
        chmod(open, 0o644)
        let write = try Nobody.run(Repository.executable, ["photo", open, "-o", folder.path + "/out"])
        #expect(
            write.exitCode == 1 && write.error.contains("the folder cannot be created: Permission denied"),
            "\(write.error)")
    }

    @Test(arguments: SlowTests.areWanted ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT]) func anInterruptEndsCleanly(
        _ signal: Int32
    ) throws {
        for index in 0..<300 { _ = try copy("ada", to: "in/\(index).jpg") }
        let run = try ProgramRun.bauta(["photo", "in", "--report", "r.jsonl"], folder: folder.path) { program in
            try program.wait(for: "a first masked picture") {
                folder.results(in: "masked")
            } until: {
                !$0.isEmpty
            }
            kill(program.processIdentifier, signal)
        }
        #expect(run.exitCode == 130)
        #expect(run.error.contains("interrupted after"), "\(run.error.suffix(300))")
        #expect(run.error.contains("Rerun the command to resume."), "\(run.error.suffix(300))")
        let written = folder.results(in: "masked")
        #expect(!written.isEmpty && written.count < 300)
        for name in written {
            #expect(name.hasSuffix(".jpg"))
            _ = try PictureReader.read(folder.path + "/masked/" + name)
        }
        let lines = try String(contentsOfFile: folder.path + "/r.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == written.count)
    }
}
