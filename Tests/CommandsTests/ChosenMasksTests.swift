import Commands
import FaceGeometry
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

/// What the window of photographs makes of masks that were chosen for single faces. With dlib's detector, so that no network is
/// needed.
@Suite struct ChosenMasksTests {
    private let folder: TemporaryFolder
    private let root: FilePath
    /// Ada on the left and Bruno on the right.
    private let pair: FilePath
    private static let masks = ["domino", "skull"].map { FilePath("\(Repository.root)/masks/\($0)") }
    private static let places = [Point(0.25, 0.5), Point(0.75, 0.5)]

    init() throws {
        folder = try TemporaryFolder()
        root = FilePath(folder.path).resolved ?? FilePath(folder.path)
        pair = root / "in/pair.png"
        try folder.write(try Self.encoded(Self.picture(turned: .upright)), "in/pair.png")
    }

    private static func picture(turned: Orientation) throws -> PixelBuffer {
        let (width, height) = (SmallSample.width, SmallSample.height)
        var pixels = try PixelBuffer(width: 2 * width, height: height, format: .rgba8)
        for (index, name) in ["ada", "bruno"].enumerated() {
            let sample = try PictureReader.read(Repository.root + "/samples/\(name).jpg").pixels
                .resized(width: width, height: height)
            for y in 0..<height {
                for x in 0..<width {
                    let color = sample[x, y]
                    pixels.fill(
                        index * width + x..<index * width + x + 1, ofRow: y,
                        with: SIMD4(UInt8(color[0]), UInt8(color[1]), UInt8(color[2]), 255))
                }
            }
        }
        return try pixels.turned(from: turned)
    }

    private static func encoded(_ pixels: consuming PixelBuffer) throws -> [UInt8] {
        try PictureWriter.encode(Picture(pixels: pixels), options: .init(format: .png), path: "pair").bytes()
    }

    private var maker: PhotographMaker {
        var options = PhotoOptions()
        (options.models.detector, options.occluders) = (.hog, .nothing)
        return PhotographMaker(
            options: options, data: DataFolder(path: FilePath(Repository.root)),
            finder: PhotographFinder(recursive: true, format: nil), memory: nil, threads: 1,
            networks: NetworkFetch(script: nil, networks: NetworkFolder(path: folder.path + "/none")))
    }

    private func run(_ wearing: [Int?], turns: [FilePath: Orientation] = [:]) -> PhotographRun {
        let chosen = zip(Self.places, wearing).map { ChosenMask(place: $0, mask: $1) }
        return PhotographRun(
            inputs: [root / "in"], masks: Self.masks, turns: turns, wearing: chosen.isEmpty ? [:] : [pair: chosen])
    }

    private func results(_ run: PhotographRun) throws -> PhotographResults {
        try maker.tasks.mask(run, [pair], PhotographProgress(total: 1)).get()
    }

    /// How many pixels of each half have changed.
    private func changed(_ results: PhotographResults, from before: borrowing PixelBuffer) throws -> [Int] {
        let difference = try PictureDifference(before, PictureReader.read(results.folder / "pair.png").pixels)
        let middle = difference.width / 2
        var counts = [0, 0]
        for (index, value) in difference.values.enumerated() where value > 0 {
            counts[index % difference.width < middle ? 0 : 1] += 1
        }
        return counts
    }

    @Test func theRightFaceWearsTheMaskAndTheOtherStaysAsItIs() throws {
        let before = try Self.picture(turned: .upright)
        let left = try changed(results(run([0, nil])), from: before)
        #expect(left[0] > 500 && left[1] == 0, "\(left)")
        let right = try changed(results(run([nil, 1])), from: before)
        #expect(right[0] == 0 && right[1] > 500, "\(right)")
    }

    /// Places are those in the photograph as it is turned.
    @Test func aTurnedPhotographIsMaskedWhereItWasClicked() throws {
        try folder.write(try Self.encoded(Self.picture(turned: .turnLeft)), "in/pair.png")
        let turned = try results(run([nil, 0], turns: [pair: .turnRight]))
        let right = try changed(turned, from: Self.picture(turned: .upright))
        #expect(right[0] == 0 && right[1] > 500, "\(right)")
        // What is compared with it is turned, too.
        let compared = try maker.tasks.showResult(
            run([nil, 0], turns: [pair: .turnRight]), turned.folder, pair
        ).get()
        let after = try compared.after.get()
        #expect(compared.before.pixels.width == after.pixels.width && after.pixels.width == 2 * SmallSample.width)
    }

    /// Nothing is encoded anew.
    @Test func facesWithoutMasksLeaveThePhotographAsItIs() throws {
        let made = try results(run([nil, nil]))
        #expect(made.masked == 0 && made.unchanged == 1 && made.faceless == 0, "\(made.text)")
        let paths = [pair, made.folder / "pair.png"]
        let bytes = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0.description)) }
        #expect(bytes[0] == bytes[1])
        let again = try results(run([nil, nil]))
        #expect(again.folder == made.folder && again.kept == 1 && again.unchanged == 1, "\(again.text)")
    }

    /// A later session finds them by the same choices, and none by others.
    @Test func theSameChoicesGoOn() throws {
        let made = try results(run([nil, 1]))
        #expect(maker.tasks.resultFolder(run([nil, 1])) == made.folder)
        #expect(maker.tasks.resultFolder(run([1, nil])) != made.folder)
        #expect(maker.tasks.resultFolder(run([])) != made.folder)
    }

    /// Other choices replace what this session has made, and nothing else.
    @Test func aSessionReplacesItsOwnResults() throws {
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        let tasks = maker.tasks
        func make(_ wearing: [Int?]) throws -> PhotographResults {
            try tasks.mask(run(wearing), [pair], PhotographProgress(total: 2)).get()
        }
        let first = try make([nil, 1])
        #expect(tasks.resultFolder(run([0, nil])) == first.folder)
        let before = try Self.picture(turned: .upright)
        let second = try make([0, nil])
        let left = try changed(second, from: before)
        #expect(second.folder == first.folder && left[0] > 500 && left[1] == 0, "\(second) \(left)")
        // Nobody has chosen anything for the other photograph.
        #expect(second.kept == 1 && second.masked == 2 && second.failed == 0, "\(second)")
        // Another session finds the last ones, and replaces none.
        #expect(maker.tasks.resultFolder(run([0, nil])) == first.folder)
        #expect(maker.tasks.resultFolder(run([nil, 1])) != first.folder)
        // The user has changed one.
        try folder.write(try SmallSample.bytes("bruno"), "in masked/pair.png")
        let third = try make([nil, 0])
        #expect(third.folder != first.folder && third.masked == 2, "\(third)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: (first.folder / "pair.png").description)).starts(with: [
                0xFF, 0xD8,
            ]))
    }

    /// What an earlier session has made of the same choice is gone on with, though this session has written elsewhere since.
    @Test func resultsThatAreThereReplaceNoOthers() throws {
        func run(_ mask: Int) -> PhotographRun { PhotographRun(inputs: [root / "in"], masks: [Self.masks[mask]]) }
        func bytes(_ results: PhotographResults) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: (results.folder / "pair.png").description))
        }
        let yesterday = try results(run(0))
        let tasks = maker.tasks
        func make(_ mask: Int) throws -> PhotographResults {
            try tasks.mask(run(mask), [pair], PhotographProgress(total: 1)).get()
        }
        let other = try make(1)
        let before = try bytes(other)
        #expect(other.folder == root / "in masked 2")
        let same = try make(0)
        #expect(same.folder == yesterday.folder && same.kept == 1, "\(same)")
        #expect(try bytes(other) == before && bytes(same) != before)
        // Of a third choice, the session's own results are replaced.
        let third = PhotographRun(inputs: [root / "in"], masks: Self.masks)
        #expect(tasks.resultFolder(third) == other.folder)
    }

    /// A result of the first choice does not pass for one of the second.
    @Test func aPhotographThatFailsKeepsNoResultOfAnotherChoice() throws {
        let tasks = maker.tasks
        func make(_ mask: Int) throws -> PhotographResults {
            try tasks.mask(
                PhotographRun(inputs: [root / "in"], masks: [Self.masks[mask]]), [pair], PhotographProgress(total: 2)
            ).get()
        }
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        let first = try make(0)
        #expect(first.masked == 2)
        try folder.write("no picture any more", "in/ada.jpg")
        let second = try make(1)
        #expect(second.folder == first.folder && second.failed == 1 && second.masked == 1, "\(second)")
        #expect(folder.results(in: "in masked") == ["pair.png"])
    }

    /// Who has looked at a result has not made an input of it: a run that goes on after a review has to replace it.
    @Test func aResultThatWasLookedAtMayBeReplaced() throws {
        let chosen = run([nil, 0])
        let made = try results(chosen)
        _ = try maker.tasks.showResult(chosen, made.folder, pair).get().after.get()
        try AtomicFile.checkIsReplaceable(made.folder / "pair.png")
        #expect(throws: FileError.self) { try AtomicFile.checkIsReplaceable(pair) }
        // Where it is missing, the photograph is still seen.
        try FileManager.default.removeItem(atPath: (made.folder / "pair.png").description)
        let compared = try maker.tasks.showResult(chosen, made.folder, pair).get()
        #expect(throws: PhotographObstacle.self) { try compared.after.get() }
        #expect(compared.before.pixels.width == 2 * SmallSample.width)
    }

    /// A preview says who wears what, and what they would wear otherwise.
    @Test func aPreviewKnowsItsFaces() throws {
        let subject = PreviewSubject(
            photograph: pair, turn: .upright, number: 0, masks: Self.masks,
            wearing: [ChosenMask(place: Self.places[1], mask: nil)], cover: nil, isClose: false)
        let faces = try maker.tasks.preview(subject).get().faces
        #expect(faces.all.map(\.mask) == [Self.masks[0], nil] && faces.all.map(\.usual) == Self.masks)
        #expect(faces.face(at: Self.places[0]) == 0 && faces.face(at: Self.places[1]) == 1)
    }

    /// Another mask is only drawn, and more of it seen closely: the photograph is neither decoded nor searched again.
    @Test func aPreviewKeepsThePhotographAndItsFaces() throws {
        let tasks = maker.tasks
        func shown(_ mask: Int, isClose: Bool = false) throws -> ShownPhotograph {
            let subject = PreviewSubject(
                photograph: pair, turn: .upright, number: 0, masks: [Self.masks[mask]], wearing: [], cover: nil,
                isClose: isClose)
            return try tasks.preview(subject).get()
        }
        let first = try shown(0)
        // Of the same size and time, but no picture.
        let status = try #require(pair.status())
        try folder.write([UInt8](repeating: 0, count: Int(status.st_size)), "in/pair.png")
        let times = [status.st_atim, status.st_mtim]
        #expect(pair.withCString { utimensat(AT_FDCWD, $0, times, 0) } == 0)
        for isClose in [false, true] {
            let other = try shown(1, isClose: isClose)
            #expect(other.faces.all.map(\.box) == first.faces.all.map(\.box) && other.faces.all.count == 2)
            #expect(try PictureDifference(first.pixels, other.pixels).share(above: 30) > 0.02)
        }
        // Another file is read.
        try folder.write([0], "in/pair.png")
        #expect(throws: PhotographObstacle.self) { try shown(0) }
    }

    /// Who wears which mask depends on all faces, also on those that are too small to be found in the reduced picture.
    @Test func aPreviewFindsTheFacesOfTheWholePhotograph() throws {
        var wide = try PixelBuffer(width: 6000, height: SmallSample.height, format: .rgba8)
        wide.paste(try Self.picture(turned: .upright), x: 0, y: 0)
        try folder.write(try Self.encoded(wide), "in/pair.png")
        let subject = PreviewSubject(
            photograph: pair, turn: .upright, number: 0, masks: Self.masks, wearing: [], cover: nil, isClose: false)
        let shown = try maker.tasks.preview(subject).get()
        #expect(shown.pixels.width == 1280 && shown.faces.all.map(\.usual) == Self.masks)
    }
}
