import Files
import Foundation
import JSON
import MaskAuthoring
import Masking
import TestSupport
import Testing

/// Pictures that come into a package, and packages under another name.
struct PackageCopyingTests {
    private let folder: TemporaryFolder
    private let package: EditedPackage
    private var mask: String { folder.path + "/wölf é" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/wolf", toPath: folder.path + "/wölf é")
        package = try EditedPackage(
            FilePath(folder.path + "/wölf é"), assets: AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
        ) { _, _ in }
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test func aPictureFromElsewhereGetsANameThatIsFree() throws {
        let skull = Repository.root + "/masks/skull/skull.png"
        try FileManager.default.copyItem(atPath: skull, toPath: folder.path + "/fangs.png")
        let fangs = try bytes(mask + "/fangs.png")
        #expect(try package.adopt(picture: FilePath(folder.path + "/fangs.png")) == "fangs-2.png")
        #expect(try bytes(mask + "/fangs.png") == fangs)
        #expect(try bytes(mask + "/fangs-2.png") == bytes(skull))
        // A file of the package is not copied.
        for path in [mask + "/fangs.png", folder.path + "/.//wölf é/../wölf é//fangs.png"] {
            #expect(try package.adopt(picture: FilePath(path)) == "fangs.png")
        }
        // Names that packages cannot have.
        let odd = FilePath(bytes: Array((folder.path + "/").utf8) + [0xE9, 0x3A] + Array(".PNG".utf8))
        try AtomicFile.copy(skull, to: odd.name, in: OpenFolder(folder.path), replacing: false)
        #expect(try package.adopt(picture: odd) == "picture.png")
        #expect(package.pictureNames.contains("picture.png"))
    }

    @Test func whatIsNoPictureIsRefused() throws {
        let text = try folder.write("x", "a.txt")
        for path in [text, folder.path + "/none.png"] {
            #expect(throws: FileError.self) { try package.adopt(picture: FilePath(path)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: mask).allSatisfy { !$0.hasPrefix("a.") })
    }

    @Test func theMaskUnderAnotherNameHasTheUnsavedChanges() throws {
        let old = try bytes(mask + "/mask.json")
        package.change("set name") { $0.manifest["name"] = .string("Second") }
        package.keepJournal(isEditing: false)
        #expect(FileManager.default.fileExists(atPath: mask + ".journal"))
        let new = folder.path + "/zweiter Wolf"
        // Other programs leave empty files behind.
        try folder.write("", "wölf é/empty.png")
        try package.save(as: FilePath(new + "/"))
        #expect(package.folder == FilePath(new).resolved && package.history.isSaved)
        #expect(try bytes(mask + "/mask.json") == old)
        #expect(!FileManager.default.fileExists(atPath: mask + ".journal"))
        #expect(
            try JSONValue(parsing: String(contentsOfFile: new + "/mask.json", encoding: .utf8))["name"]
                == .string("Second"))
        #expect(try bytes(new + "/wolf.png") == bytes(mask + "/wolf.png"))
        // It is the new one that is edited and locked now.
        #expect(package.reread() && package.reading.problems.errorCount == 0)
        package.change("set name") { $0.manifest["name"] = .string("Third") }
        package.save()
        #expect(try String(contentsOfFile: new + "/mask.json", encoding: .utf8).contains("Third"))
        #expect(try bytes(mask + "/mask.json") == old)
        let assets = try AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
        #expect(throws: FileError.self) { try EditedPackage(FilePath(new), assets: assets) { _, _ in } }
        _ = try EditedPackage(FilePath(mask), assets: assets) { _, _ in }
    }

    @Test func nothingIsReplaced() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/taken", withIntermediateDirectories: false)
        for name in ["taken", "wölf é", "none/below"] {
            #expect(throws: FileError.self) { try package.save(as: FilePath(folder.path + "/" + name)) }
        }
        #expect(package.folder == FilePath(mask).resolved)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["taken", "wölf é"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/taken").isEmpty)
    }
}
