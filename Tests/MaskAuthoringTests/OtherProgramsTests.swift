import FaceGeometry
import Files
import Foundation
import Installation
import JSON
import MaskAuthoring
import TestSupport
import Testing

/// Files that other programs write, or have half written, while the editor is open.
@Suite struct OtherProgramsTests {
    private let folder: TemporaryFolder
    private let assets: AuthoringAssets
    private var mask: String { folder.path + "/my wolf" }
    private var author: String { folder.path + "/author.json" }

    /// Collects what the editor would say.
    private final class Messages {
        var texts: [String] = []
    }

    init() throws {
        folder = try TemporaryFolder()
        assets = try AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
        // A layer with points of its own.
        let points = assets.reference.vertices.map { $0 * Point(1024, 1024) }
        try PointsFile.text(points).write(toFile: mask + "/wolf.pts", atomically: true, encoding: .utf8)
        let text = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
            .replacing("\"texture\": \"wolf.png\"", with: "\"texture\": \"wolf.png\", \"landmarks\": \"wolf.pts\"")
        #expect(text.contains("wolf.pts"))
        try text.write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
    }

    private func open(_ messages: Messages = Messages(), at path: String? = nil) throws -> EditedPackage {
        try EditedPackage(
            FilePath(path ?? mask), assets: assets, authorFile: ConfigurationFile(FilePath(author))
        ) { text, _ in messages.texts.append(text) }
    }

    private func follow(_ package: EditedPackage) {
        package.followDisk(every: .zero)
        _ = package.reread()
    }

    /// As a program does that writes in place: the first bytes.
    private func truncate(_ name: String, to count: Int) throws -> [UInt8] {
        let whole = try bytes(of: mask + "/" + name)
        try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: mask + "/" + name))
        return whole
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: mask + "/" + name))
    }

    /// The points and the mask stay as they are, and nothing is asked; the whole file then is a step.
    @Test(arguments: [0, 300]) func halfWrittenPointsAreWaitedFor(_ count: Int) throws {
        let package = try open()
        let before = package.history.current
        let whole = try truncate("wolf.pts", to: count)
        follow(package)
        #expect(package.history.current == before && package.question == nil && package.worn != nil)
        var points = try PointsFile.parse(String(decoding: whole, as: UTF8.self))
        points[30] += Point(20, 0)
        try write(Array(PointsFile.text(points).utf8), "wolf.pts")
        follow(package)
        #expect(package.history.current.points["wolf.pts"]?[30] == points[30] && package.history.isSaved)
        #expect(package.reading.problems.errorCount == 0)
        package.history.undo()
        #expect(package.history.current == before)
    }

    /// The layer of a picture that cannot be read says so, and the mask is worn on.
    @Test func aDamagedPictureIsAnErrorOfItsLayer() throws {
        let package = try open()
        _ = package.reread()
        let paths = package.history.current.layerPaths
        let wolf = try #require(
            paths.first { package.history.current[layer: $0]?["texture"] == .string("wolf.png") })
        #expect(paths.allSatisfy { package.errors(of: $0).isEmpty })
        let whole = try truncate("wolf.png", to: 2000)
        follow(package)
        #expect(package.errors(of: wolf).map(\.code) == [.textureUnreadable] && package.worn != nil)
        #expect(paths.allSatisfy { $0 == wolf || package.errors(of: $0).isEmpty })
        try FileManager.default.removeItem(atPath: mask + "/wolf.png")
        follow(package)
        #expect(package.errors(of: wolf).map(\.code) == [.fileMissing])
        try write(whole, "wolf.png")
        follow(package)
        #expect(package.errors(of: wolf).isEmpty)
    }

    /// Unsaved changes outlive it, too.
    @Test func aHalfWrittenManifestIsWaitedFor() throws {
        let messages = Messages()
        let package = try open(messages)
        package.change("set name") { $0.manifest["name"] = .string("Mine") }
        let whole = try truncate("mask.json", to: 200)
        follow(package)
        #expect(package.history.current.manifest["name"] == .string("Mine"))
        #expect(package.question == nil && messages.texts.isEmpty, "\(messages.texts)")
        let layers = package.history.current.manifest["layers"]
        // Back as it was: there is nothing to ask.
        try write(whole, "mask.json")
        follow(package)
        #expect(package.question == nil && package.history.current.manifest["layers"] == layers)
        // Something else: the user chooses, and undo brings back the other one.
        _ = try truncate("mask.json", to: 10)
        follow(package)
        #expect(package.question == nil)
        try write(
            Array(String(decoding: whole, as: UTF8.self).replacing("\"Wolf\"", with: "\"Theirs\"").utf8), "mask.json")
        follow(package)
        guard case .changedOnDisk? = package.question else {
            Issue.record("nothing is asked")
            return
        }
        _ = package.answer(true)
        #expect(package.history.current.manifest["name"] == .string("Theirs"))
        package.history.undo()
        #expect(package.history.current.manifest["name"] == .string("Mine"))
    }

    /// It is said that the manifest cannot be read, if it stays so.
    @Test func halfWrittenFilesAreReported() throws {
        let messages = Messages()
        let package = try open(messages)
        _ = try truncate("mask.json", to: 200)
        try wait(for: "a message") {
            follow(package)
            return messages.texts
        } until: {
            !$0.isEmpty
        }
        #expect(messages.texts[0].contains("mask.json") && package.worn != nil, "\(messages.texts)")
    }

    /// A file of the author that cannot be read stays as it is until it can.
    @Test func aHalfWrittenAuthorIsWaitedFor() throws {
        let messages = Messages()
        let package = try open(messages)
        try folder.write("{\"author\": \"A. Pai", "author.json")
        package.change("set licence") { $0.manifest["license"] = .string("CC-BY-4.0") }
        package.save()
        #expect(
            messages.texts.contains { $0.contains("could not be saved for other masks") && $0.contains(author) },
            "\(messages.texts)")
        follow(package)
        #expect(try bytes(of: author) == Array("{\"author\": \"A. Pai".utf8))
        try folder.write("{\"author\": \"A. Painter\"}", "author.json")
        follow(package)
        let kept = try JSONValue(parsing: String(contentsOfFile: author, encoding: .utf8))
        #expect(kept["author"] == .string("A. Painter") && kept["license"] == .string("CC-BY-4.0"))
    }

    /// What is said of a person's face is not said of the next mask.
    @Test func theLicenceOfAPersonsFaceIsNotKept() throws {
        for likeness in ["unasked", "agreed"] {
            let package = try open()
            package.change("set likeness") { $0.manifest["likeness"] = .string(likeness) }
            package.change("set licence") { $0.manifest["license"] = .string("LicenseRef-\(likeness)") }
            package.save()
            #expect(!FileManager.default.fileExists(atPath: author))
        }
        let package = try open()
        package.change("set likeness") { $0.manifest["likeness"] = nil }
        package.change("set licence") { $0.manifest["license"] = .string("CC-BY-4.0") }
        package.save()
        #expect(try String(contentsOfFile: author, encoding: .utf8).contains("CC-BY-4.0"))
    }

    /// One file under two names is one, for points and for the brush; one folder has one journal.
    @Test func twoSpellingsAreOneFile() throws {
        let messages = Messages()
        for (link, target) in [("second.pts", "wolf.pts"), ("second.png", "wolf.png")] {
            try FileManager.default.createSymbolicLink(atPath: "\(mask)/\(link)", withDestinationPath: target)
        }
        var manifest = try JSONValue(parsing: String(contentsOfFile: mask + "/mask.json", encoding: .utf8))
        var layers = manifest["layers"]?.elements ?? []
        let wolf = try #require(layers.firstIndex { $0["landmarks"] == .string("wolf.pts") })
        var copy = layers[wolf]
        copy["landmarks"] = .string("second.pts")
        copy["texture"] = .string("second.png")
        layers.append(copy)
        manifest["layers"] = .array(layers)
        try write(Array(manifest.text(indented: true).utf8), "mask.json")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: mask)

        let package = try open(messages, at: folder.path + "/./link/")
        #expect(package.reading.problems.errorCount == 0, "\(package.reading.problems.listed)")
        #expect(package.history.current.points.keys.sorted() == ["wolf.pts"])
        package.selection = [layers.count - 1]
        let (name, matte) = try package.brushedMatte()
        #expect(name == "wolf.png")
        let stroke = MatteStroke(
            MatteBrush(action: .erase, diameter: 80, softness: 0), on: matte, at: Point(500, 500))
        package.set(stroke.result, of: name, step: "erase", edit: nil)
        #expect(package.reread())
        // Both layers show it.
        for use in package.reading.textureUses where package.name(of: use.texture) == "wolf.png" {
            #expect(use.texture.pixels[500, 500].w == 0)
        }
        try package.waitForJournal()
        #expect(FileManager.default.fileExists(atPath: mask + ".journal"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/link.journal"))
        // The same mask is not edited twice.
        #expect(throws: FileError.self) { try open(at: mask) }
        package.save()
        #expect(package.history.isSaved, "\(messages.texts)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: mask + "/second.png") == "wolf.png")
    }
}
