import FaceGeometry
import Files
import Foundation
import ImageFiles
import Installation
import JSON
import MaskAuthoring
import Masks
import Pixels
import TestSupport
import Testing

/// What the brush changes in a package: files, history, journal, and other programs beside it.
@Suite struct BrushedPackageTests {
    private let folder: TemporaryFolder
    private let assets: AuthoringAssets
    private var mask: String { folder.path + "/wölf é" }
    private var file: String { mask + "/wolf.png" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: folder.path + "/wölf é")
        assets = try AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
    }

    /// Collects what the editor would say.
    private final class Messages {
        var texts: [String] = []
    }

    private func open(_ messages: Messages = Messages()) throws -> EditedPackage {
        let package = try EditedPackage(FilePath(mask), assets: assets) { text, _ in messages.texts.append(text) }
        let wolf = package.history.current.layerPaths.first {
            package.history.current[layer: $0]?["texture"] == .string("wolf.png")
        }
        #expect(wolf != nil)
        package.selection = wolf
        return package
    }

    /// One stroke of two parts across the middle.
    private func erase(_ package: EditedPackage, _ y: Float, action: MatteBrush.Action = .erase) throws {
        let (name, matte) = try package.brushedMatte()
        #expect(name == "wolf.png")
        let brush = MatteBrush(action: action, diameter: 80, softness: 0.3)
        var stroke = MatteStroke(brush, on: matte, at: Point(300, y))
        package.set(stroke.result, of: name, step: "erase", edit: "stroke \(y)")
        stroke.move(through: [Point(700, y)])
        stroke.finish()
        package.set(stroke.result, of: name, step: "erase", edit: "stroke \(y)")
        package.history.endEdit()
        #expect(package.reread())
    }

    private func alpha(_ package: EditedPackage, _ y: Int) -> UInt16 {
        package.selectedTexture?.texture.pixels[500, y].w ?? 999
    }

    private func pixels() throws -> PixelBuffer { try PictureReader.read(file, for: .texture).pixels.copy() }
    private func alphaOnDisk(_ y: Int) throws -> UInt16 { try pixels()[500, y].w }

    /// What another program does.
    private func repaint(_ color: SIMD4<UInt8> = SIMD4(10, 200, 30, 255), side: Int = 1024) throws {
        var pixels = try PixelBuffer(width: side, height: side, format: .rgba8)
        pixels.fill(color)
        try PictureWriter.write(
            Picture(pixels: pixels, hasAlpha: true), to: file, options: .init(format: .png), replacing: true)
    }

    private func follow(_ package: EditedPackage) {
        package.followDisk(every: .zero)
        _ = package.reread()
    }

    /// Paint is kept for the next start, saved, and taken back after that.
    @Test func paintIsKeptSavedAndUndone() throws {
        let green = MatteBrush.Action.paint(SIMD3(20, 200, 40))
        do {
            let package = try open()
            try erase(package, 500, action: green)
            #expect(package.selectedTexture?.texture.pixels[500, 500] == SIMD4(20, 200, 40, 255))
            #expect(try package.keepForNextStart() != nil)
            // Only what was painted: eight by two tiles.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: mask + ".journal"))
            let journaled = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }["mattes"]?["wolf.png"]
            #expect(journaled?["tiles"]?.elements.count == 16 && journaled?["colored"] == .bool(true))
        }
        let package = try open()
        try package.offerJournal()
        _ = package.answer(true)
        #expect(package.reread() && !package.history.isSaved)
        package.save()
        #expect(try pixels()[500, 500] == SIMD4(20, 200, 40, 255) && package.history.isSaved)
        package.history.undo()
        #expect(package.reread() && package.selectedTexture?.texture.pixels[500, 500] != SIMD4(20, 200, 40, 255))
        #expect(try package.keepForNextStart() != nil)
        package.save()
        #expect(try pixels()[500, 500] != SIMD4(20, 200, 40, 255))
    }

    /// A grey PNG becomes a coloured one, with and without another name.
    @Test func paintOnGreyIsSaved() throws {
        var grey = try PixelBuffer(width: 1024, height: 1024, format: .rgba8)
        grey.fill(SIMD4(90, 90, 90, 255))
        let picture = Picture(pixels: grey, isColor: false)
        try PictureWriter.write(picture, to: file, options: .init(format: .png), replacing: true)
        let wasColor = try PictureReader.read(file, for: .texture).isColor
        #expect(!wasColor)
        let package = try open()
        try erase(package, 500, action: .paint(SIMD3(20, 200, 40)))
        let copy = folder.path + "/copy"
        try package.save(as: FilePath(copy))
        try check(copy + "/wolf.png")
        do {
            let same = try open()
            try erase(same, 500, action: .paint(SIMD3(20, 200, 40)))
            same.save()
        }
        try check(file)
        // What is only erased stays grey.
        try PictureWriter.write(picture, to: file, options: .init(format: .png), replacing: true)
        let erased = try open()
        try erase(erased, 500)
        erased.save()
        let after = try PictureReader.read(file, for: .texture)
        let (isColor, alpha) = (after.isColor, after.pixels[500, 500].w)
        #expect(!isColor && alpha == 0)

        func check(_ path: String) throws {
            let picture = try PictureReader.read(path, for: .texture)
            #expect(picture.pixels[500, 500] == SIMD4(20, 200, 40, 255))
            #expect(picture.pixels[500, 900] == SIMD4(90, 90, 90, 255))
            let isColor = picture.isColor
            #expect(isColor)
        }
    }

    @Test func strokesAreStepsThatAreSavedAndUndone() throws {
        let package = try open()
        let before = try pixels()
        try erase(package, 500)
        try erase(package, 650)
        #expect(alpha(package, 500) == 0 && alpha(package, 650) == 0 && alpha(package, 575) == 255)
        #expect(try alphaOnDisk(500) == 255, "nothing is saved before Ctrl+S")
        #expect(package.history.undoName == "erase")
        package.history.undo()
        #expect(package.reread() && alpha(package, 500) == 0 && alpha(package, 650) == 255)
        package.history.redo()
        package.save()
        #expect(package.history.isSaved)
        #expect(try alphaOnDisk(500) == 0 && alphaOnDisk(650) == 0)
        let saved = try pixels()
        for y in stride(from: 0, to: 1024, by: 7) {
            for x in stride(from: 0, to: 1024, by: 7) {
                #expect((0..<3).allSatisfy { saved[x, y][$0] == before[x, y][$0] }, "the colours stay")
            }
        }
        // Back to the very beginning, beyond the save.
        package.history.undo()
        package.history.undo()
        #expect(package.reread() && !package.history.isSaved && alpha(package, 500) == 255)
        package.save()
        #expect(package.history.isSaved && package.history.undoName == nil)
        #expect(try PictureDifference(pixels(), before).largest == 0)
        // The step is there again, and leads to the same file.
        package.history.redo()
        package.history.redo()
        package.save()
        #expect(try PictureDifference(pixels(), saved).largest == 0)
        follow(package)
        #expect(package.question == nil && package.history.isSaved)
    }

    @Test func theJournalHasTheStrokes() throws {
        var package: EditedPackage? = try open()
        try erase(try #require(package), 500)
        package?.save()
        try erase(try #require(package), 650)
        try package?.waitForJournal()
        let expected = try #require(package?.selectedTexture?.texture)
        // Of the picture it has only what the second stroke has changed: eight by two tiles of 64 pixels.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: mask + ".journal"))
        let journaled = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }["mattes"]?["wolf.png"]
        #expect(journaled?["tiles"]?.elements.count == 16, "\(String(describing: journaled?["tiles"]))")
        // The program ends at once.
        package = nil
        let messages = Messages()
        let again = try open(messages)
        try again.offerJournal()
        guard case .recover? = again.question else {
            Issue.record("\(String(describing: again.question))")
            return
        }
        _ = again.answer(true)
        #expect(again.reread() && alpha(again, 650) == 0 && alpha(again, 500) == 0)
        let restored = try #require(again.selectedTexture?.texture)
        #expect(try PictureDifference(restored.pixels, expected.pixels).largest == 0)
        #expect(try alphaOnDisk(650) == 255)
        again.save()
        #expect(try alphaOnDisk(650) == 0 && !FileManager.default.fileExists(atPath: mask + ".journal"))
        #expect(messages.texts.contains { $0.contains("are restored") }, "\(messages.texts)")
    }

    /// The package, opened again after the program has ended at once, with its unsaved changes.
    private func restored(_ messages: Messages) throws -> EditedPackage {
        let again = try open(messages)
        try again.offerJournal()
        _ = again.answer(true)
        return again
    }

    /// A stroke of opaque red across the middle of the selected picture.
    private func paint(_ package: EditedPackage, _ y: Float) throws {
        let (name, matte) = try package.brushedMatte()
        let brush = MatteBrush(action: .paint(SIMD3(255, 0, 0)), diameter: 80, softness: 0.3)
        var stroke = MatteStroke(brush, on: matte, at: Point(300, y))
        stroke.move(through: [Point(700, y)])
        stroke.finish()
        package.set(stroke.result, of: name, step: "paint", edit: nil)
        #expect(package.reread())
    }

    private func select(_ texture: String, in package: EditedPackage) {
        package.selection = package.history.current.layerPaths.first {
            package.history.current[layer: $0]?["texture"] == .string(texture)
        }
    }

    private func addPaint(_ package: EditedPackage) throws -> String {
        let name = try package.makePicture().description
        package.change("add paint") {
            package.selection = $0.insert(
                .object(["type": .string("warp"), "texture": .string(name)]), above: package.selection)
        }
        #expect(package.reread())
        return name
    }

    /// The saved mask does not name the picture of a layer that was added.
    @Test func strokesOnAnAddedLayerAreRestored() throws {
        var package: EditedPackage? = try open()
        let name = try addPaint(try #require(package))
        try paint(try #require(package), 500)
        try package?.waitForJournal()
        package = nil
        let messages = Messages()
        let again = try restored(messages)
        #expect(again.reread() && messages.texts.contains { $0.contains("are restored") }, "\(messages.texts)")
        select(name, in: again)
        #expect(alpha(again, 500) == 255 && alpha(again, 650) == 0)
        again.save()
        let saved = try PictureReader.read(mask + "/" + name, for: .texture).pixels.copy()
        #expect(saved[500, 500].w == 255)
    }

    /// After a crash, too, pictures that nobody has painted on and saved do not stay; others of such a name do.
    @Test(arguments: [false, true]) func picturesOfALostSessionAreRemoved(isRestored: Bool) throws {
        var package: EditedPackage? = try open()
        let (name, own) = (try addPaint(try #require(package)), try addPaint(try #require(package)))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mask + "/" + own))
        try package?.waitForJournal()
        package = nil
        let again = try open()
        try again.offerJournal()
        _ = again.answer(isRestored)
        _ = try again.keepForNextStart()
        again.removeWhatWasOnlyTried()
        #expect(!FileManager.default.fileExists(atPath: mask + "/" + name))
        #expect(FileManager.default.fileExists(atPath: mask + "/" + own))
    }

    /// The document that is restored does not name the picture of a layer that was removed.
    @Test func strokesOnARemovedLayerAreRestored() throws {
        var package: EditedPackage? = try open()
        try erase(try #require(package), 500)
        package?.removeSelected()
        #expect(package?.reread() == true)
        try package?.waitForJournal()
        package = nil
        let messages = Messages()
        let again = try restored(messages)
        #expect(messages.texts.contains { $0.contains("are restored") }, "\(messages.texts)")
        #expect(again.history.current.mattes["wolf.png"] != nil)
    }

    @Test func aCopyOfPaintIsPaintedByItself() throws {
        let package = try open()
        let name = try addPaint(package)
        try paint(package, 500)
        let original = package.selection
        try package.copySelected()
        #expect(package.reread() && package.selection != original)
        #expect(package.selectedLayer?["texture"] != .string(name) && alpha(package, 500) == 255)
        try paint(package, 650)
        #expect(alpha(package, 650) == 255)
        select(name, in: package)
        #expect(alpha(package, 650) == 0 && alpha(package, 500) == 255)
    }

    @Test func strokesOfAnotherSizeAreKeptInAFile() throws {
        var package: EditedPackage? = try open()
        try erase(try #require(package), 500)
        try package?.waitForJournal()
        package = nil
        try repaint(side: 512)
        let messages = Messages()
        _ = try restored(messages)
        #expect(
            messages.texts.contains {
                $0.contains("512 × 512") && $0.contains("1024 × 1024") && $0.contains(".broken")
            },
            "\(messages.texts)")
        #expect(FileManager.default.fileExists(atPath: mask + ".journal.broken"))
    }

    @Test func damagedJournalsAreRefused() throws {
        for mattes in [
            "3", "{\"wolf.png\": {\"png\": \"*\"}}", "{\"../x.png\": {\"png\": \"\"}}", "{\"wolf.png\": 4}",
            "{\"wolf.png\": {\"png\": \"\", \"size\": [1024], \"tiles\": [0]}}",
            "{\"wolf.png\": {\"png\": \"\", \"size\": [1024, 1024], \"tiles\": [0.5]}}",
        ] {
            try folder.write(
                "{\"journal\": 1, \"manifest\": {}, \"points\": {}, \"mattes\": \(mattes)}", "wölf é.journal")
            #expect(throws: FileError.self) { try EditJournal(folder: FilePath(mask)).read() }
        }
        func journaled(_ matte: String) throws -> JournaledMatte {
            try folder.write(
                "{\"journal\": 1, \"manifest\": {}, \"points\": {}, \"mattes\": {\"wolf.png\": \(matte)}}",
                "wölf é.journal")
            return try #require(try EditJournal(folder: FilePath(mask)).read()?.mattes["wolf.png"])
        }
        // Base64 of what is no picture.
        let noPicture = try journaled("{\"png\": \"Zm9vYmFy\"}")
        #expect(throws: PictureError.self) { try noPicture.matte(of: nil, path: "wolf.png") }
        // One tile, beside the picture and of another size than the PNG.
        let tile = Picture(pixels: try PixelBuffer(width: 64, height: 64, format: .rgba8), isColor: false)
        let png = Base64.text(
            try PictureWriter.encode(tile, options: .init(format: .png), path: "tile").bytes())
        let texture = try #require(try open().selectedTexture?.texture)
        for (tiles, isWhole) in [("[255]", true), ("[]", true), ("[256]", false), ("[-1]", false), ("[0, 1]", false)] {
            let matte = try journaled("{\"png\": \"\(png)\", \"size\": [1024, 1024], \"tiles\": \(tiles)}")
            if isWhole {
                _ = try matte.matte(of: texture, path: "wolf.png")
            } else {
                #expect(throws: FileError.self, "\(tiles)") { try matte.matte(of: texture, path: "wolf.png") }
            }
        }
    }

    @Test func anotherProgramAndUnsavedStrokes() throws {
        for keepsOwn in [true, false] {
            let package = try open()
            let before = try pixels()
            try erase(package, 500)
            try repaint()
            follow(package)
            guard case .changedOnDisk? = package.question else {
                Issue.record("\(String(describing: package.question))")
                return
            }
            #expect(alpha(package, 500) == 0, "nothing changes before the answer")
            _ = package.answer(!keepsOwn)
            _ = package.reread()
            #expect(alpha(package, 500) == (keepsOwn ? 0 : 255))
            #expect(package.history.isSaved != keepsOwn)
            if keepsOwn {
                // The journal has the colours, too: the file no longer has them.
                try package.waitForJournal()
                let journaled = try #require(try EditJournal(folder: FilePath(mask)).read()?.mattes["wolf.png"])
                #expect(try journaled.matte(of: nil, path: "x").base.pixels[512, 900] == before[512, 900])
            }
            // Undo brings the other one.
            package.history.undo()
            _ = package.reread()
            #expect(alpha(package, 500) == (keepsOwn ? 255 : 0))
            package.history.redo()
            package.save()
            #expect(try alphaOnDisk(500) == (keepsOwn ? 0 : 255))
            #expect(try pixels()[512, 900] == (keepsOwn ? before[512, 900] : SIMD4(10, 200, 30, 255)))
            follow(package)
            #expect(package.question == nil && package.history.isSaved)
            try PictureWriter.write(
                Picture(pixels: before, hasAlpha: true), to: file, options: .init(format: .png), replacing: true)
        }
    }

    @Test func anotherProgramAndSavedStrokes() throws {
        let package = try open()
        try erase(package, 500)
        package.save()
        // The same pixels are no change.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file)
        follow(package)
        #expect(package.question == nil && package.history.isSaved && package.history.undoName == "erase")
        // Half a file is waited for.
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: file))
        follow(package)
        #expect(package.question == nil && alpha(package, 500) == 0)
        try erase(package, 650)
        package.save()
        #expect(!package.history.isSaved, "a file that is being written is not replaced")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == whole.count / 2)
        package.history.undo()
        // Another painting is a step.
        try repaint()
        follow(package)
        #expect(package.question == nil && package.history.isSaved && alpha(package, 500) == 255)
        #expect(package.history.undoName == "changes by another program")
        package.history.undo()
        _ = package.reread()
        #expect(alpha(package, 500) == 0 && !package.history.isSaved)
        package.save()
        #expect(try alphaOnDisk(500) == 0)
    }

    /// A step that would replace another program's work unseen is forgotten.
    @Test func redoDoesNotReplaceWhatAnotherProgramHasSaved() throws {
        let package = try open()
        try erase(package, 500)
        package.history.undo()
        #expect(package.history.redoName == "erase")
        try repaint()
        follow(package)
        #expect(package.history.redoName == nil && package.history.isSaved && package.question == nil)
    }

    @Test func theMaskUnderAnotherNameHasTheStrokes() throws {
        let package = try open()
        try erase(package, 500)
        try package.save(as: FilePath(folder.path + "/second"))
        #expect(try alphaOnDisk(500) == 255)
        #expect(try PictureReader.read(folder.path + "/second/wolf.png").pixels[500, 500].w == 0)
        #expect(package.history.isSaved && package.reread() && alpha(package, 500) == 0)
        try erase(package, 650)
        package.save()
        #expect(try PictureReader.read(folder.path + "/second/wolf.png").pixels[500, 650].w == 0)
        #expect(try alphaOnDisk(650) == 255)
    }

    @Test func picturesThatTheBrushCannotChangeAreReported() throws {
        var deep = try PixelBuffer(width: 8, height: 8, format: .rgba16)
        deep.withUnsafeMutableBytes { for index in $0.indices { $0[index] = 0x7F } }
        try PictureWriter.write(
            Picture(pixels: deep, hasAlpha: true), to: mask + "/deep.png", options: .init(format: .png),
            replacing: false
        )
        var plain = try PixelBuffer(width: 8, height: 8, format: .rgba8)
        plain.fill(SIMD4(9, 9, 9, 255))
        // A JPEG by any name.
        for name in ["a.jpg", "b.png"] {
            try PictureWriter.write(
                Picture(pixels: try plain.copy()), to: mask + "/" + name, options: .init(format: .jpeg),
                replacing: false)
        }
        try FileManager.default.copyItem(
            atPath: Repository.root + "/docs/masks/moth.ora", toPath: mask + "/moth.ora")
        let package = try open()
        func layer(_ key: String, _ value: JSONValue) -> JSONValue { .object(["type": .string("warp"), key: value]) }
        let animation = JSONValue.object(["frames": .array([.string("wolf.png")])])
        let refusals: [(JSONValue, BrushRefusal)] = [
            (layer("texture", .string("deep.png")), .deep("deep.png")),
            (layer("texture", .string("a.jpg")), .jpeg("a.jpg")), (layer("texture", .string("b.png")), .jpeg("b.png")),
            (layer("texture", .string("moth.ora")), .layered("moth.ora")), (layer("live", .string("face")), .noPicture),
            (layer("texture", .string("none.png")), .noPicture), (layer("animation", animation), .animation),
        ]
        for (layer, refusal) in refusals {
            package.change("choose") { $0[layer: package.selection ?? []] = layer }
            _ = package.reread()
            #expect(throws: refusal) { try package.brushedMatte() }
            #expect(refusal.description.hasSuffix("."))
        }
    }
}
