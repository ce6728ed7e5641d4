import Commands
import Compositing
import FaceTracking
import Files
import Foundation
import ImageFiles
import Installation
import LiveWindow
import NeuralNetworks
import PhotographWindow
import PictureMasking
import Pixels
import TestSupport
import Testing

/// What *Hide people* makes in the window of photographs. With dlib's detector, so that no network is needed.
@Suite struct HidePeopleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func options(smallest: SmallestFace? = nil) -> PhotoOptions {
        var options = PhotoOptions()
        (options.models.detector, options.analysis.smallestFace) = (.hog, smallest)
        return options
    }

    @Test(
        arguments: [
            (nil, .pixels(12)), (.pixels(6), .pixels(6)), (.pixels(12), .pixels(12)), (.pixels(40), .pixels(12)),
            (.share(0.1), .pixels(12)),
        ] as [(SmallestFace?, SmallestFace)])
    func noFaceIsTooSmallUnlessItIsTiny(_ chosen: SmallestFace?, _ used: SmallestFace) throws {
        var options = options(smallest: chosen)
        (options.masks, options.faces, options.faceless) = (["/no/mask"], .largest(1), .copy)
        try options.coverAll(.face)
        #expect(options.analysis.smallestFace == used && options.analysis.thoroughness == .balanced)
        #expect(options.anonymises && options.cover == .face && !options.drawsMask)
        #expect(options.faces == .all && options.faceless == .skip && options.masks != ["/no/mask"])
    }

    /// Without networks, nobody is told that people are hidden.
    @Test func itIsRefusedWithoutNetworks() {
        var options = PhotoOptions()
        options.models.networks = NetworkFolder(path: folder.path + "/none")
        #expect(throws: (any Error).self) { try options.coverAll(.solid) }
    }

    /// What masks have left as it was has no result when people are hidden. A result that the user has changed is kept.
    @Test func whatShowsNobodyIsTakenBackWhenPeopleAreHidden() throws {
        try folder.write(try SmallSample.bytes("ada"), "Party/ada.jpg")
        var grey = try PixelBuffer(width: 120, height: 90, format: .rgba8)
        grey.fill(SIMD4(120, 130, 140, 255))
        let wall = try PictureWriter.encode(Picture(pixels: grey), options: .init(format: .png), path: "wall").bytes()
        try folder.write(wall, "Party/deep/wall.png")
        let root = FilePath(folder.path).resolved ?? FilePath(folder.path)
        let inputs = [root / "Party"]
        let shown = [root / "Party/ada.jpg", root / "Party/deep/wall.png"]
        let maker = PhotographMaker(
            options: options(), data: DataFolder(path: FilePath(Repository.root)),
            finder: PhotographFinder(recursive: true, format: nil), memory: nil, threads: 1,
            networks: NetworkFetch(script: nil, networks: NetworkFolder(path: folder.path + "/none")))
        let masks = [FilePath("\(Repository.root)/masks/domino")]
        func make(_ cover: FaceCover.Style?) throws -> PhotographResults {
            let run = PhotographRun(inputs: inputs, masks: masks, cover: cover, chosenFolder: root / "out")
            return try maker.tasks.mask(run, shown, PhotographProgress(total: 2)).get()
        }
        let masked = try make(nil)
        #expect(masked.folder == root / "out" && folder.results(in: "out/deep") == ["wall.png"], "\(masked)")
        let covered = try make(.solid)
        #expect(covered.folder == masked.folder && covered.faceless == 1 && covered.failed == 0, "\(covered)")
        #expect(folder.results(in: "out").contains("ada.jpg") && folder.results(in: "out/deep").isEmpty)
        #expect(try make(nil).folder == masked.folder && folder.results(in: "out/deep") == ["wall.png"])
        try folder.write(wall + [0], "out/deep/wall.png")
        let other = try make(.solid)
        #expect(other.folder != masked.folder && folder.results(in: "out/deep") == ["wall.png"], "\(other)")
    }

    @Test func aFaceIsCoveredAndNothingTellsWhere() throws {
        let secret = "Anna Example"
        // A comment behind the start of the file.
        let comment = [0xFF, 0xFE, 0, UInt8(secret.utf8.count + 2)] + Array(secret.utf8)
        let ada = try SmallSample.bytes("ada")
        try folder.write(Array(ada[..<2]) + comment + Array(ada[2...]), "Party/ada.jpg")
        var grey = try PixelBuffer(width: 120, height: 90, format: .rgba8)
        grey.fill(SIMD4(120, 130, 140, 255))
        let wall = Picture(pixels: grey)
        try folder.write(
            try PictureWriter.encode(wall, options: .init(format: .png), path: "wall").bytes(), "Party/wall.png")

        let root = FilePath(folder.path).resolved ?? FilePath(folder.path)
        let input = root / "Party"
        let maker = PhotographMaker(
            options: options(), data: DataFolder(path: FilePath(Repository.root)),
            finder: PhotographFinder(recursive: true, format: nil), memory: nil, threads: 1,
            networks: NetworkFetch(script: nil, networks: NetworkFolder(path: folder.path + "/none")))
        // A mask that cannot be loaded is no obstacle: nobody wears it.
        func run(_ masks: FilePath...) -> PhotographRun { PhotographRun(inputs: [input], masks: masks, cover: .solid) }
        #expect(maker.tasks.resultFolder(run("/no/mask")) == root / "Party covered")
        let shown = [input / "ada.jpg", input / "wall.png"]
        let results = try maker.tasks.mask(run("/no/mask"), shown, PhotographProgress(total: 2)).get()
        #expect(results.folder == root / "Party covered" && results.masked == 1 && results.faceless == 1)
        #expect(results.failed == 0 && results.text.contains("left out (wall.png)"), "\(results)")
        #expect(folder.results(in: "Party covered") == ["ada.jpg"])

        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/Party covered/ada.jpg"))
        #expect(bytes.range(of: Data(secret.utf8)) == nil)
        let result = try PictureReader.read(folder.path + "/Party covered/ada.jpg")
        // The middle of the face.
        let pixel = result.pixels[SmallSample.width / 2, SmallSample.height / 2]
        #expect((0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= 3 }, "\(pixel)")

        // The same covers go on in the same folder, whatever masks were worn.
        #expect(maker.tasks.resultFolder(run("/no/mask", "/nor/this")) == root / "Party covered")
        let again = try maker.tasks.mask(run("/no/mask", "/nor/this"), shown, PhotographProgress(total: 2)).get()
        #expect(again.folder == results.folder && again.kept == 2, "\(again)")
    }
}
