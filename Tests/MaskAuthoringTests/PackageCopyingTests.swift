import Files
import Foundation
import GLTF
import ImageFiles
import Installation
import JSON
import MaskAuthoring
import Masks
import Pixels
import TestSupport
import Testing
import Threads

/// Pictures that come into a package, and packages under another name.
struct PackageCopyingTests {
    private let folder: TemporaryFolder
    private let package: EditedPackage
    private var mask: String { folder.path + "/wölf é" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: folder.path + "/wölf é")
        package = try EditedPackage(
            FilePath(folder.path + "/wölf é"), assets: AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
        ) { _, _ in }
    }

    /// The layer that is painted on the face.
    private var wolf: MaskDocument.LayerPath? {
        let document = package.history.current
        return document.layerPaths.first { document[layer: $0]?["texture"] == .string("wolf.png") }
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

    @Test func namesOfCopiesCountOn() throws {
        // The folder's, as the mask is called so, too.
        package.change("set name") { $0.manifest["name"] = .string("Wölf É") }
        package.save()
        #expect(package.nameOfCopy == "wölf é-2")
        for (name, copy) in [
            ("my-mask-2", "my-mask-3"), ("my-mask-9", "my-mask-10"), ("my-mask-1", "my-mask-1-2"),
            ("halloween-2026", "halloween-2026-2"), ("agent-007", "agent-007-2"), ("-5", "-5-2"),
        ] {
            try package.save(as: FilePath(folder.path + "/" + name))
            #expect(package.nameOfCopy == copy)
        }
        // What is there is not proposed.
        for name in ["/-5-2", "/-5-3"] {
            try FileManager.default.createDirectory(atPath: folder.path + name, withIntermediateDirectories: false)
        }
        #expect(package.nameOfCopy == "-5-4")
    }

    /// Who has given the mask a name wants its folder to be called so.
    @Test func copiesAreNamedAfterTheMask() throws {
        #expect(package.nameOfCopy == "wolf")
        for (name, copy) in [
            ("Roter Füchs / 3!", "roter-füchs-3"), (" ../", "wölf é-2"), ("", "wölf é-2"), ("wölf-é", "wölf é-2"),
        ] {
            package.change("set name") { $0.manifest["name"] = .string(name) }
            #expect(package.nameOfCopy == copy)
        }
        package.change("set name") { $0.manifest["name"] = .string("Fuchs") }
        try FileManager.default.createDirectory(atPath: folder.path + "/fuchs", withIntermediateDirectories: false)
        #expect(package.nameOfCopy == "fuchs-2")
    }

    /// Undo may need it until the end. What the saved mask shows, and what somebody has painted on, stays.
    @Test func whatWasOnlyTriedIsRemoved() throws {
        let skull = FilePath(Repository.root + "/masks/skull/skull.png")
        func add(_ name: String) throws -> String {
            let path = FilePath(folder.path + "/" + name)
            try FileManager.default.copyItem(atPath: skull.description, toPath: path.description)
            return try package.adopt(picture: path).description
        }
        let (tried, worn, painted) = (try add("tried.png"), try add("worn.png"), try add("painted.png"))
        let layer = try #require(wolf)
        package.change("texture") { $0[layer: layer]?["texture"] = .string(worn) }
        package.save()
        package.change("texture") { $0[layer: layer]?["texture"] = .string(tried) }
        try Data("other".utf8).write(to: URL(fileURLWithPath: mask + "/" + painted))
        #expect(FileManager.default.fileExists(atPath: mask + "/tried.png"))
        package.removeWhatWasOnlyTried()
        let names = try FileManager.default.contentsOfDirectory(atPath: mask)
        #expect(!names.contains(tried) && names.contains(worn) && names.contains(painted), "\(names)")
        #expect(names.contains("wolf.png"))
    }

    /// Another program may have named the picture, or be about to.
    @Test(arguments: [true, false]) func nothingIsRemovedUnderAManifestThatHasChanged(isWhole: Bool) throws {
        let skull = FilePath(Repository.root + "/masks/skull/skull.png")
        #expect(try package.adopt(picture: skull) == "skull.png")
        let saved = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
        let changed = saved.replacingOccurrences(of: "wolf.png", with: "skull.png")
        #expect(changed != saved)
        try folder.write(isWhole ? changed : String(saved.prefix(saved.count / 2)), "wölf é/mask.json")
        package.removeWhatWasOnlyTried()
        #expect(FileManager.default.fileExists(atPath: mask + "/skull.png"))
    }

    /// What somebody has painted on is not the session's any more, also under another name.
    @Test func aChangedPictureIsNotRemovedUnderAnotherName() throws {
        let skull = FilePath(Repository.root + "/masks/skull/skull.png")
        #expect(try package.adopt(picture: skull) == "skull.png")
        try FileManager.default.removeItem(atPath: mask + "/skull.png")
        try FileManager.default.copyItem(atPath: mask + "/fangs.png", toPath: mask + "/skull.png")
        try package.save(as: FilePath(folder.path + "/other"))
        package.removeWhatWasOnlyTried()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/other/skull.png"))
    }

    /// The mask goes on in the new folder, where undo still needs it.
    @Test func theOldFolderIsAsItWasSaved() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: mask).sorted()
        let skull = FilePath(Repository.root + "/masks/skull/skull.png")
        #expect(try package.adopt(picture: skull) == "skull.png")
        try package.save(as: FilePath(folder.path + "/other"))
        func names(_ path: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
        }
        #expect(try names(mask).sorted() == before.filter { !$0.hasPrefix(".") })
        #expect(try names(folder.path + "/other").contains("skull.png"))
        package.removeWhatWasOnlyTried()
        #expect(try !names(folder.path + "/other").contains("skull.png"))
    }

    /// Decoding a picture takes up to a minute; the window goes on meanwhile. What names no new picture is read at once.
    @Test func aNewPictureIsReadBesideTheWindow() throws {
        let work = BackgroundWork()
        func read() -> Bool {
            let isRead = package.reread(with: work)
            if isRead { return true }
            work.finish()
            return package.reread(with: work)
        }
        #expect(read() && !package.isReading)
        package.change("make it fainter") { $0[layer: package.selection ?? []]?["opacity"] = .number(0.5) }
        #expect(package.reread(with: work), "at once")

        let skull = try package.adopt(picture: FilePath(Repository.root + "/masks/skull/skull.png"))
        package.selection = wolf
        let selection = try #require(package.selection)
        package.change("choose picture") { $0[layer: selection]?["texture"] = skull.string.map { .string($0) } }
        #expect(!package.reread(with: work) && package.isReading)
        #expect(package.selectedTexture == nil, "the reading is that of the picture before")
        #expect(read() && !package.isReading)
        #expect(package.selectedTexture.map { package.name(of: $0.texture) } == skull)
        #expect(package.reading.problems.errorCount == 0)
    }

    /// Finding out that a picture is damaged may take as long as decoding one.
    @Test func aDamagedPictureIsReadOnce() throws {
        let good = try bytes(Repository.root + "/masks/skull/skull.png")
        let place = URL(fileURLWithPath: mask + "/new.png")
        /// - Parameter time: of the change, in seconds.
        func write(_ data: Data, at time: Double) throws {
            try data.write(to: place)
            let date = Date(timeIntervalSince1970: time)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place.path)
            package.followDisk(every: .zero)
        }
        func errorsOfAnotherStep(_ opacity: Double) -> Int {
            package.change("make it fainter") { $0[layer: package.selection ?? []]?["opacity"] = .number(opacity) }
            _ = package.reread()
            return package.reading.problems.errorCount
        }
        try write(Data([0] + good.dropFirst()), at: 1e9)
        package.selection = wolf
        package.change("choose picture") { $0[layer: package.selection ?? []]?["texture"] = .string("new.png") }
        #expect(errorsOfAnotherStep(0.5) > 0)
        // The file looks the same.
        try write(good, at: 1e9)
        #expect(errorsOfAnotherStep(0.6) > 0)
        try write(good, at: 2e9)
        #expect(errorsOfAnotherStep(0.7) == 0)
    }

    @Test func aModelFromElsewhereBecomesAProp() throws {
        let hat = Repository.root + "/masks/top-hat/top-hat.glb"
        let (name, model) = try package.adopt(model: FilePath(hat))
        #expect(name == "top-hat.glb")
        #expect(try bytes(mask + "/top-hat.glb") == bytes(hat))
        #expect(try package.adopt(model: FilePath(mask + "/top-hat.glb")).name == name)
        package.change("add prop") {
            package.selection = $0.insert(PropPlacement.layer(for: model, file: "top-hat.glb"), above: nil)
        }
        #expect(package.reread() && package.reading.problems.errorCount == 0)
        #expect(package.selectedModel?.triangleCount == model.triangleCount)
        // The selected layer shows its own model, and other layers none.
        package.selection = package.history.current.layerPaths.last
        #expect(package.selectedModel?.path.name != name)
        let broken = try folder.write("x", "a.glb")
        #expect(throws: MaskProblem.self) { try package.adopt(model: FilePath(broken)) }
        let other = try folder.write("x", "a.obj")
        #expect(throws: FileError.self) { try package.adopt(model: FilePath(other)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: mask).allSatisfy { !$0.hasPrefix("a.") })
    }

    /// As the mask wears it that it comes from, under its name in the package. One that comes from nowhere is put on like a hat.
    @Test func aModelOfTheGalleryKeepsItsPlace() throws {
        let horns = FilePath(Repository.root + "/masks/horns/horns.glb")
        let model = try package.adopt(model: horns).model
        let layer = PropPlacement.layer(for: model, at: horns, file: "horns-2.glb")
        let manifest = try JSONValue(
            parsing: String(contentsOfFile: Repository.root + "/masks/horns/mask.json", encoding: .utf8))
        for key in ["anchor", "width", "position"] { #expect(layer[key] == manifest["layers"]?.elements.first?[key]) }
        #expect(layer["model"] == .string("horns-2.glb"))
        let alone = FilePath(folder.path) / "alone.glb"
        let hat = PropPlacement(PropPlacement.layer(for: model, at: alone, file: "alone.glb"))
        let placement = try #require(hat)
        let scale = placement.width / model.bounds.size.x
        #expect(placement.anchor == .eyes && (1.1...1.6).contains(placement.width))
        #expect(abs(placement.position.y - model.bounds.low.y * scale + 0.27) < 0.01, "\(placement)")
    }

    /// One that its mask shows after a blink only is always there as a layer of another mask.
    @Test func aModelOfTheGalleryIsAlwaysShown() throws {
        let grief = FilePath(Repository.root + "/masks/moods/grief.glb")
        let layer = PropPlacement.layer(for: try package.adopt(model: grief).model, at: grief, file: "grief.glb")
        #expect(layer["width"] == .number(1.92) && layer["shadow"] != nil)
        for key in ["blinks", "when", "faces", "hidden"] { #expect(layer[key] == nil) }
    }

    /// Only a licence that asks for no credit lets the numbers of another's mask be taken without a word.
    @Test(arguments: ["CC0-1.0", "CC-BY-4.0"]) func aModelOfAnotherIsPutOnLikeAHat(license: String) throws {
        let other = folder.path + "/other"
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/horns", toPath: other)
        let manifest = try String(contentsOfFile: other + "/mask.json", encoding: .utf8)
        try manifest.replacing("CC0-1.0", with: license).write(
            toFile: other + "/mask.json", atomically: true, encoding: .utf8)
        let horns = FilePath(other + "/horns.glb")
        let model = try package.adopt(model: horns).model
        let hat = PropPlacement.layer(for: model, file: "horns.glb")
        #expect((PropPlacement.layer(for: model, at: horns, file: "horns.glb") == hat) == (license != "CC0-1.0"))
    }

    @Test func paintIsKnownByItsName() {
        for name in ["paint.png", "paint.ora", "paint-2.png"] { #expect(EditedPackage.isPaint(name)) }
        for name in ["paint-.png", "paint--2.png", "painting.png"] { #expect(!EditedPackage.isPaint(name)) }
    }

    /// Each with its name, opacity, blend mode and visibility, in the file's order; the guides of a template stay out.
    @Test func layersOfAPaintingBecomeLayersOfTheMask() throws {
        let png = try [UInt8](bytes(mask + "/fangs.png"))
        let stack = """
            <image w='512' h='512'><stack><layer name='guides' src='data/0.png' edit-locked='true'/>\
            <layer name='Whiskers' src='data/1.png' composite-op='svg:multiply' opacity='0.5'/><stack name='group'>\
            <layer name='Fur &amp; teeth' src='data/2.png' composite-op='krita:dissolve'/></stack>\
            <layer name='fur &amp; teeth' src='data/3.png'/><layer name='Old' src='data/4.png' visibility='hidden'/>\
            </stack></image>
            """
        let file = ZipBuilder(
            [.init("mimetype", Array("image/openraster".utf8)), .init("stack.xml", Array(stack.utf8))]
                + (0..<5).map { .init("data/\($0).png", png) }
        ).bytes
        try Data(file).write(to: URL(fileURLWithPath: mask + "/paint.ora"))
        package.followDisk(every: .zero)
        package.change("set layers") {
            $0.manifest["layers"] = .array([
                .object(["type": .string("warp"), "texture": .string("paint.ora"), "opacity": .number(0.8)])
            ])
        }
        package.selection = [0]
        #expect(package.canSeparateLayers)
        try package.separateLayers()
        let layers = package.history.current.manifest["layers"]?.elements ?? []
        #expect(layers.map { $0["textureLayer"]?.string } == ["Old", "Fur & teeth", "Whiskers"])
        #expect(layers.map { $0["blend"]?.string } == [nil, nil, "multiply"])
        #expect(layers.map { $0["opacity"]?.number } == [0.8, 0.8, 0.4])
        #expect(layers.map { $0["hidden"]?.bool } == [true, nil, nil])
        #expect(package.selection == [2])
        #expect(package.reread() && package.reading.problems.errorCount == 0)
        // It is one step.
        package.history.undo()
        #expect(package.history.current.manifest["layers"]?.elements.count == 1)
        // Damaged files are refused.
        package.selection = [0]
        try folder.write("x", "wölf é/paint.ora")
        #expect(throws: FileError.self) { try package.separateLayers() }
        #expect(package.history.current.manifest["layers"]?.elements.count == 1)
    }

    /// A mask that was only looked at leaves no copy; whatever any program has changed stays.
    @Test func anUntouchedCopyIsRemoved() throws {
        let (parent, original) = (FilePath(folder.path + "/mine"), FilePath(folder.path + "/wolf"))
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: "\(original)")
        try Folder.create(original / "more")
        try folder.write("x", "wolf/more/note.txt")
        let untouched = try PackageDraft(of: original, in: parent)
        #expect(untouched.folder.name == "my-wolf" && (untouched.folder / "mask.json").exists)
        let names = [
            "mask.json", "new.png", ".hidden", "new.png~", "wolf.png", "more/note.txt", "more/.hidden",
            "more/note.txt~", "other/.hidden", ".git/config",
        ]
        for (index, name) in names.enumerated() {
            let copy = try PackageDraft(of: original, in: parent)
            #expect(copy.folder.name == FilePath("my-wolf-\(index + 2)"))
            try Folder.createParent(of: copy.folder / FilePath(name))
            try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(copy.folder)/\(name)"))
            copy.removeIfUntouched()
            #expect(copy.folder.exists, "\(name)")
        }
        let unsaved = try PackageDraft(of: original, in: parent)
        try EditJournal(folder: unsaved.folder).write(MaskDocument(manifest: .object([:])))
        unsaved.removeIfUntouched()
        #expect(unsaved.folder.exists)
        untouched.removeIfUntouched()
        #expect(!untouched.folder.exists)
    }

    /// So does a new mask: it may have been saved under another name.
    @Test func anUntouchedNewMaskIsRemoved() throws {
        let new = FilePath(folder.path + "/my-mask")
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: "\(new)")
        let draft = try PackageDraft(new: new)
        try folder.write("x", "my-mask/mask.json")
        draft.removeIfUntouched()
        #expect(new.exists)
        try PackageDraft(new: new).removeIfUntouched()
        #expect(!new.exists)
    }

    @Test func otherFilesAreRefused() throws {
        let text = try folder.write("x", "a.txt")
        for path in [text, folder.path + "/none.png"] {
            #expect(throws: FileError.self) { try package.adopt(picture: FilePath(path)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: mask).allSatisfy { !$0.hasPrefix("a.") })
    }

    @Test func theMaskUnderAnotherNameHasTheUnsavedChanges() throws {
        let old = try bytes(mask + "/mask.json")
        package.change("set name") { $0.manifest["name"] = .string("Second") }
        try package.waitForJournal()
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

    @Test func theMaskUnderAnotherNameIsCalledByIt() throws {
        let new = folder.path + "/zweiter Wolf"
        try package.save(as: FilePath(new))
        let name = try JSONValue(parsing: String(contentsOfFile: new + "/mask.json", encoding: .utf8))["name"]
        #expect(name == .string("zweiter Wolf") && package.history.isSaved)
        // Steps from before do not bring the old one back.
        package.change("set author") { $0.manifest["author"] = .string("me") }
        for _ in 0..<3 { package.history.undo() }
        #expect(package.history.current.manifest["name"] == name && package.history.undoName == nil)
    }

    /// The picture of the mask shows what has been saved last. One of another size is somebody's own.
    @Test func theThumbnailIsRenewed() throws {
        for (side, isRenewed) in [(256, true), (255, false)] {
            var blank = try PixelBuffer(width: side, height: side, format: .rgba8)
            blank.fill(SIMD4(9, 9, 9, 255))
            try PictureWriter.write(
                Picture(pixels: blank), to: mask + "/thumbnail.png", options: .init(format: .png), replacing: true)
            let before = try bytes(mask + "/thumbnail.png")
            package.followDisk(every: .zero)
            package.change("set name") { $0.manifest["name"] = .string("Wolf \(side)") }
            package.save()
            let after = try bytes(mask + "/thumbnail.png")
            #expect((after != before) == isRenewed, "\(side)")
            let picture = try PictureReader.read(mask + "/thumbnail.png").pixels.copy()
            #expect(picture.width == side)
            // The middle of the wolf's face is no longer what it was.
            #expect((picture[side / 2, side / 2] != SIMD4(9, 9, 9, 255)) == isRenewed)
        }
        #expect(package.history.isSaved)
    }

    /// An export holds what the mask uses, and the files stay the editor's own.
    @Test func anExportLeavesOutWhatWasOnlyTried() throws {
        try folder.write("<svg xmlns='http://www.w3.org/2000/svg'/>", "wölf é/tried.svg")
        let validator = try AuthoringAssets(DataFolder(path: FilePath(Repository.root))).validator
        let store = PackageStore(folder: FilePath(folder.path), validator: validator)
        func packed(leavesOutUnused: Bool) throws -> (leftOut: [FilePath], names: [FilePath]) {
            let path = FilePath(folder.path + "/wolf.bauta")
            let packed = try store.pack(
                FilePath(mask), to: path, replacing: true, leavesOutUnused: leavesOutUnused)
            return (packed.leftOut, try PackageFolder.unpacked(path).map(\.name))
        }
        let shared = try packed(leavesOutUnused: true)
        #expect(shared.leftOut == ["tried.svg"] && !shared.names.contains("tried.svg"))
        #expect(shared.names.contains("wolf.png") && shared.names.contains("mask.json"))
        let whole = try packed(leavesOutUnused: false)
        #expect(whole.leftOut.isEmpty && whole.names.contains("tried.svg"))
        // Nothing that is packed is replaced by the package.
        #expect(throws: FileError.self) {
            try store.pack(FilePath(mask), to: FilePath(mask + "/wolf.png"), replacing: true, leavesOutUnused: true)
        }
        package.change("set name") { $0.manifest["name"] = .string("Afterwards") }
        package.save()
        #expect(package.history.isSaved)
        #expect(try String(contentsOfFile: mask + "/mask.json", encoding: .utf8).contains("Afterwards"))
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
