import Files
import Foundation
import Installation
import JSON
import MaskAuthoring
import MaskEditor
import TestSupport
import Testing

/// The masks that can be chosen for editing, and what a new one begins with.
struct MaskPickerTests {
    private let folder: TemporaryFolder
    private let data = DataFolder(path: FilePath(Repository.root))

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> ConfigurationFile { ConfigurationFile(FilePath(folder.path) / FilePath(name)) }

    private func mask(_ name: String) throws -> FilePath {
        let manifest = try folder.write(#"{"format": 1, "name": "Roter Fuchs"}"#, "\(name)/mask.json")
        return try #require(FilePath(manifest).parent.resolved)
    }

    @Test func masksThatWereEditedLastComeFirst() throws {
        let recent = RecentMasks(file("edit.json"))
        let masks = try (0...13).map { try mask("here é/\($0)") }
        for mask in masks { recent.note(mask) }
        recent.note(masks[5])
        try FileManager.default.removeItem(atPath: masks[12].description)
        let wanted = [5, 13, 11, 10, 9, 8, 7, 6, 4, 3].map { masks[$0] }
        #expect(Array(RecentMasks(file("edit.json")).folders.prefix(10)) == wanted)
        #expect(recent.folders.count == 11)
        let entries = MaskPicker.entries(data, recent: recent)
        #expect(entries.prefix(10).map(\.choice) == wanted.map { .own($0) })
        #expect(entries[0].name == "5 (yours)")
        #expect(entries[0].isFound(by: "FUCHS") && entries[0].isFound(by: "5") && !entries[0].isFound(by: "wolf"))
        // Those that come with the program are copied still.
        let wolf = FilePath(Repository.root) / "masks/wolf"
        recent.note(wolf)
        let again = MaskPicker.entries(data, recent: recent).filter { $0.folder.isSameFile(as: wolf) }
        #expect(again.map(\.choice) == [.copy(wolf)])
    }

    /// Photographs and clips that wore masks are kept in the same file.
    @Test func whatElseIsKeptStays() throws {
        try folder.write(#"{"recent": ["/a.jpg"], "masks": [1, "b", "/none"]}"#, "edit.json")
        let recent = RecentMasks(file("edit.json"))
        #expect(recent.folders.isEmpty)
        let mask = try mask("a")
        recent.note(mask)
        #expect(recent.folders == [mask])
        #expect(try file("edit.json").read()["recent"] == .array([.string("/a.jpg")]))
    }

    @Test func aNewMaskHasTheLastAuthor() throws {
        var kept = try KeptAuthor(file("author.json"))
        try kept.keep(author: "A. Painter", license: "CC0-1.0")
        let made = try MaskPicker.Choice.new.folder(
            in: FilePath(folder.path), authorFile: file("author.json")
        ) { try AuthoringAssets(data) }
        let manifest = try ConfigurationFile(made.path / "mask.json").read()
        #expect(manifest["author"] == .string("A. Painter") && manifest["license"] == .string("CC0-1.0"))
    }
}
