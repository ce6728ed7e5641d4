import Files
import Foundation
import Installation
import TestSupport
import Testing

/// Dialogs begin where the last file was chosen.
@Suite struct LastFolderTests {
    let folder: TemporaryFolder
    private let file: ConfigurationFile

    init() throws {
        folder = try TemporaryFolder()
        file = ConfigurationFile(FilePath(folder.path) / "bauta/folders.json")
    }

    @Test func eachKindHasItsOwn() throws {
        let (one, other) = (try folder.write("x", "one é/a.jpg"), try folder.write("x", "other/b.mp4"))
        #expect(LastFolder(.photographs, in: file).path == nil)
        LastFolder(.photographs, in: file).note(FilePath(one))
        LastFolder(.sources, in: file).note(FilePath(other))
        #expect(LastFolder(.photographs, in: file).path == FilePath(one).parent.resolved)
        #expect(LastFolder(.sources, in: file).path == FilePath(other).parent.resolved)
        #expect(LastFolder(.parts, in: file).path == nil)
    }

    /// "All of this folder" means the folder itself.
    @Test func aChosenFolderIsKeptItself() throws {
        let chosen = FilePath(try folder.write("x", "one é/a.jpg")).parent
        LastFolder(.photographs, in: file).note(chosen)
        #expect(LastFolder(.photographs, in: file).path == chosen.resolved)
    }

    /// One that has vanished leaves nothing, and neither does a folder that is none.
    @Test func aMaskIsKeptAsLongAsItIsOne() throws {
        let mask = FilePath(try folder.write("{}", "masks/own é/mask.json")).parent
        let last = LastFolder(.photographMask, in: file)
        last.note(mask.parent)
        #expect(last.path == nil)
        last.note(mask)
        #expect(last.path == mask.resolved)
        try FileManager.default.removeItem(atPath: mask.description + "/mask.json")
        last.note(mask)
        #expect(last.path == nil && Folder.exists(mask))
        try FileManager.default.removeItem(atPath: mask.description)
        last.note(mask)
        #expect(last.path == nil && LastFolder(.photographs, in: file).path == nil)
    }

    /// Photographs begin with all masks of the last session; one of them may have vanished.
    @Test func masksAreKeptTogether() throws {
        let masks = try ["one é", "other"].map { FilePath(try folder.write("{}", "masks/\($0)/mask.json")).parent }
        let last = LastFolder(.photographMask, in: file)
        last.note(all: masks)
        #expect(last.all == masks.map { $0.resolved })
        try FileManager.default.removeItem(atPath: masks[1].description)
        #expect(last.all == [masks[0].resolved])
        last.note(masks[0])
        #expect(last.all == [masks[0].resolved])
        last.note(all: [])
        #expect(last.all == [masks[0].resolved])
    }

    @Test func nothingIsKeptWithoutAFile() throws {
        let last = LastFolder(.sources, in: nil)
        last.note(FilePath(try folder.write("x", "a.mp4")))
        #expect(last.path == nil)
    }

    /// A folder that is gone, a path from nowhere, no path at all, and a broken file.
    @Test(arguments: [
        #"{"sources": "/no/such folder"}"#, #"{"sources": "."}"#, #"{"sources": 1}"#, "{",
    ])
    func whatCannotBeUsedIsIgnored(_ text: String) throws {
        try folder.write(text, "bauta/folders.json")
        #expect(LastFolder(.sources, in: file).path == nil)
    }
}
