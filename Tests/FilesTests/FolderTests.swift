import Files
import Foundation
import TestSupport
import Testing

struct FolderTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func aNewFolderIsNeverOneThatExists() throws {
        let name = FilePath(folder.path) / "Zoë masked"
        #expect(try Folder.createNew(name) == name)
        #expect(try Folder.createNew(name) == FilePath("\(folder.path)/Zoë masked 2"))
        // A file of that name is in the way, too.
        try folder.write([], "Zoë masked 3")
        let fourth = try Folder.createNew(name)
        #expect(fourth == FilePath("\(folder.path)/Zoë masked 4"))
        try folder.write([1], "Zoë masked 4/result.jpg")
        Folder.deleteIfEmpty(fourth)
        #expect(Folder.exists(fourth))
        Folder.deleteIfEmpty(name)
        #expect(!Folder.exists(name))
        #expect(throws: FileError.self) { try Folder.createNew(name / "a" / "b") }
    }
}
