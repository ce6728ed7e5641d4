import CFiles
import Files
import Foundation
import TestSupport
import Testing

/// Nothing outside of an open folder is reached through it.
@Suite struct OpenFolderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret", "secret")
        try folder.write("x", "package/in/file")
        for (link, target) in [
            ("up", ".."), ("out", "../secret"), ("absolute", folder.path + "/secret"), ("inner", "in/file"),
            ("in/back", "../in/file"), ("loop", "loop"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/package/" + link, withDestinationPath: target)
        }
    }

    private func read(_ name: FilePath) -> Result<[UInt8], FileError> {
        Result { () throws(FileError) in
            try FileContents.read(OpenFolder(folder.path + "/package").open(name), limit: 100)
        }
    }

    @Test(arguments: ["in/file", "inner", "in/back"] as [FilePath]) func filesInsideAreRead(_ name: FilePath) throws {
        #expect(try read(name).get() == Array("x".utf8))
    }

    @Test(
        arguments: [
            "../secret", "in/../../secret", "up/secret", "out", "absolute", "loop", "/etc/passwd", "", ".", "in//file",
            "../\u{301}secret",
        ] as [FilePath]) func nothingOutsideIsRead(_ name: FilePath)
    {
        #expect(throws: FileError.self) { try read(name).get() }
    }

    @Test func pipesAreNotWaitedFor() {
        mkfifo(folder.path + "/package/pipe", 0o600)
        #expect { try read("pipe").get() } throws: { "\($0)".contains("is not a regular file") }
    }

    private func create(_ name: FilePath) -> Result<Void, FileError> {
        Result { () throws(FileError) in
            let opened = try OpenFolder(folder.path + "/package")
            try opened.create(name, [])
        }
    }

    @Test func filesAreCreatedWithTheirFolders() throws {
        for name: FilePath in ["a", "b/c", "b/d/e/f", "in/g"] { try create(name).get() }
        let created = try folder.names().filter { ["a", "c", "f", "g"].contains(($0 as NSString).lastPathComponent) }
        #expect(created == ["package/a", "package/b/c", "package/b/d/e/f", "package/in/g"])
    }

    @Test(
        arguments: [
            "../new", "up/new", "up/new/deep", "in/../new", "out", "loop", "inner", "in/file", "in/file/x", "/new", "",
            "../\u{301}new",
        ] as [FilePath]) func nothingIsCreatedOutsideOrOverAnything(_ name: FilePath) throws
    {
        let before = try folder.names()
        #expect(throws: FileError.self) { try create(name).get() }
        #expect(try folder.names() == before)
        #expect(try bytes(of: folder.path + "/secret") == Array("secret".utf8))
    }

    /// What is used where the kernel has no `openat2`.
    @Test func stepByStepNoLinkIsFollowed() {
        let descriptor = open(folder.path + "/package", O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        for (name, code) in [
            ("in/file", 0), ("inner", ELOOP), ("up/secret", ENOTDIR), ("../secret", EXDEV), ("in/../in/file", EXDEV),
            ("", EXDEV), ("/etc/passwd", EXDEV), ("in//file", EXDEV), ("in/", EXDEV),
            (String(repeating: "x", count: 300), ENAMETOOLONG),
        ] {
            let opened = cfiles_open_stepwise(descriptor, name, O_RDONLY, 0)
            #expect(opened >= 0 ? code == 0 : errno == code, "\(name): \(errno)")
            if opened >= 0 { close(opened) }
        }
    }

    @Test func foldersForFilesAreMadeWithoutLinks() throws {
        func write(_ name: FilePath) throws {
            let opened = try OpenFolder(folder.path + "/package").folder(of: name)
            try AtomicFile.copy(folder.path + "/secret", to: name.name, in: opened, replacing: true)
        }
        for name in ["new", "in/new", "a/b/c/new"] as [FilePath] {
            try write(name)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/package/\(name)"))
        }
        for name in ["up/new", "in/../new", "../new", "/new", "in/back/new"] as [FilePath] {
            #expect(throws: FileError.self) { try write(name) }
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/package/a/out", withDestinationPath: "../../elsewhere")
        #expect { try write("a/out/b/new") } throws: { "\($0)".contains("/package/a/out is a link") }
        #expect(try !folder.names().contains { $0 == "new" || $0.hasPrefix("elsewhere") })
    }
}
