import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileBytesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(_ path: String, limit: Int = 100) -> FileError? {
        do {
            _ = try FileContents.read(path, limit: limit)
            return nil
        } catch {
            #expect(error.path == path && error.description.hasPrefix(path + ": "))
            return error
        }
    }

    @Test func filesAreReadWhole() throws {
        let path = try folder.write("grün", "text")
        #expect(try FileContents.text(path) == "grün")
        #expect(try FileContents.read(path, limit: 5).count == 5)
    }

    /// What is said is true of any file, not only of pictures.
    @Test func unreadableFilesAreExplained() throws {
        #expect(error(folder.path)?.kind == .isFolder)
        #expect(error(folder.path)?.reason == "is a folder, not a file")
        #expect(error(folder.path + "/none")?.reason == "cannot be read: No such file or directory")
        #expect(error(try folder.write("", "empty"))?.kind == .damaged)
        #expect(error(try folder.write("12345", "large"), limit: 4)?.kind == .tooLarge)
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(error(folder.path + "/pipe")?.reason == "is not a regular file")
    }
}

@Suite struct FolderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["a", "a/", "b/c/d", "b/c/d/"]) func foldersAreCreatedWithTheirParents(_ name: String) throws {
        let path = folder.path + "/" + name
        #expect(!Folder.exists(path))
        try Folder.create(path)
        #expect(Folder.exists(path))
        try Folder.create(path)
    }

    /// As deep as asked for; where that would take long, there may be such a file.
    @Test func filesAreFoundBelowAFolder() throws {
        let path = FilePath(folder.path)
        for number in 1...4 { try folder.write("", "a/b/c/\(number).txt") }
        try folder.write("", "a/model.glb")
        func contains(_ suffix: String, depth: Int, most: Int = 100) -> Bool {
            Folder.contains(path, depth: depth, most: most) { $0.fileExtension == suffix }
        }
        #expect(contains("glb", depth: 2) && !contains("glb", depth: 1))
        #expect(contains("txt", depth: 4) && !contains("txt", depth: 3))
        // Eight names in all.
        #expect(!contains("png", depth: 9, most: 8) && contains("png", depth: 9, most: 7))
        #expect(!Folder.contains(path / "nowhere", depth: 3, most: 100) { _ in true })
        try folder.write("", ".hidden/d.jpg")
        symlink(folder.path, folder.path + "/a/loop")
        #expect(!contains("jpg", depth: .max))
    }

    @Test func aNewFolderIsNeverOneThatExists() throws {
        let name = FilePath(folder.path + "/Zoë masked")
        #expect(try Folder.createNew(name) == name)
        #expect(try Folder.createNew(name) == name + " 2")
        // A file of that name is in the way, too.
        _ = try folder.write("x", "Zoë masked 3")
        let fourth = try Folder.createNew(name)
        #expect(fourth == name + " 4")
        _ = try folder.write("x", "Zoë masked 4/result.jpg")
        Folder.deleteIfEmpty(fourth)
        #expect(Folder.exists(fourth))
        Folder.deleteIfEmpty(name)
        #expect(!Folder.exists(name))
        #expect(throws: FileError.self) { try Folder.createNew(name + "/a/b") }
    }

    @Test func parentsOfFilesAreCreated() throws {
        try Folder.createParent(of: folder.path + "/x/y/file")
        #expect(try folder.names() == ["x", "x/y"])
        try Folder.createParent(of: "file")
    }

    @Test func aFileInTheWayIsSaid() throws {
        let file = try folder.write("x", "file")
        #expect { try Folder.create(file + "/inside") } throws: {
            ($0 as? FileError)?.kind == .unwritable && "\($0)".contains("the folder cannot be created")
        }
    }

    @Test func deletingDoesNotFollowLinks() throws {
        try folder.write("x", "kept/file")
        try folder.write("x", "gone/deep/file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/gone/link", withDestinationPath: folder.path + "/kept")
        Folder.delete(folder.path + "/gone")
        #expect(Folder.entries(of: folder.path) == ["kept"])
        #expect(Folder.entries(of: folder.path + "/kept") == ["file"])
        #expect(Folder.entries(of: folder.path + "/gone") == nil)
    }
}
