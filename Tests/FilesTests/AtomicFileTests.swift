import Files
import Foundation
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func nothingIsReplacedUnasked() throws {
        let path = try folder.write("old", "file")
        #expect(throws: FileError.self) { try AtomicFile.write("new", to: path, replacing: false) }
        #expect(try bytes(of: path) == Array("old".utf8))
        try AtomicFile.write("new", to: path, replacing: true)
        #expect(try bytes(of: path) == Array("new".utf8))
        #expect(try folder.names() == ["file"])
    }

    @Test func permissionsAreThoseOfAnyNewFile() throws {
        let path = folder.path + "/file"
        try AtomicFile.write("x", to: path, replacing: false)
        let mask = umask(0)
        umask(mask)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == Int(0o666 & ~mask))
    }

    @Test func aMissingFolderIsSaid() {
        #expect { try AtomicFile.write("x", to: folder.path + "/none/file", replacing: false) } throws: {
            "\($0)".contains("No such file")
        }
    }

    /// On a file system of 64 KiB.
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root")) func aFullDiskLeavesNothingBehind()
        throws
    {
        let disk = try SmallDisk(kilobytes: 64)
        let old = disk.path + "/old"
        try AtomicFile.write("old", to: old, replacing: false)
        let large = String(repeating: "x", count: 1 << 20)
        #expect { try AtomicFile.write(large, to: old, replacing: true) } throws: { "\($0)".contains("No space left") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["old"])
        #expect(try bytes(of: old) == Array("old".utf8))
    }

    @Test func inputsAreNeverOverwritten() throws {
        let input = try folder.write("input", "input")
        InputFiles.protect(input)
        #expect(throws: FileError.self) { try AtomicFile.write("new", to: input, replacing: true) }
        #expect(try bytes(of: input) == Array("input".utf8))
    }

    /// Many file systems give the number of a deleted file to another one, at once or after a while.
    @Test(.slow) func aFileWithTheNumberOfADeletedInputIsNone() throws {
        let input = try folder.write("input", "input")
        InputFiles.protect(input)
        let number = FilePath(input).status()?.st_ino
        try FileManager.default.removeItem(atPath: input)
        let start = ContinuousClock.now
        for name in 0... where .now - start < .seconds(70) {
            // Times of creation are those of a clock that ticks a few hundred times a second.
            usleep(20_000)
            let path = try folder.write("result", "result \(name)")
            let isSameNumber = FilePath(path).status()?.st_ino == number
            try AtomicFile.write("new", to: path, replacing: true)
            if isSameNumber { return }
        }
        print("aFileWithTheNumberOfADeletedInputIsNone: this file system gives no number again; nothing was tested")
    }
}
