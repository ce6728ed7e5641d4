import Detection
import FaceGeometry
import FaceTracking
import Foundation
import ImageFiles
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

@Suite struct DetectorTests {
    /// Boxes of another detector, converted, lie where dlib's do.
    @Test(arguments: CascadeFaceDetector.Features.allCases) func conventionsAgree(
        _ features: CascadeFaceDetector.Features
    ) throws {
        // Six synthetic faces: their boxes scatter more than those of photographs.
        try checkBoxes(of: features, in: Sample.all.map { "\(Repository.root)/samples/\($0.name).jpg" }, within: 0.15)
    }

    @Test(
        .slow,
        .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
        arguments: CascadeFaceDetector.Features.allCases)
    func conventionsAgreeOnPhotographs(_ features: CascadeFaceDetector.Features) throws {
        let names = ["many_faces", "two_people", "portrait_1080p"]
        let photographs = names.map { "\(SharedData.root)/photos/\($0).jpg" }
        try checkBoxes(
            of: features, in: Sample.all.map { "\(Repository.root)/samples/\($0.name).jpg" } + photographs, within: 0.05
        )
    }

    private func checkBoxes(of features: CascadeFaceDetector.Features, in paths: [String], within tolerance: Float)
        throws
    {
        let detector = try CascadeFaceDetector(features)
        let dlib = try HOGFaceDetector()
        var ratios: [Float] = []
        var shifts: [Float] = []
        var found = 0
        for path in paths {
            let picture = try PictureReader.read(path).pixels.withEightBits()
            let grey = try picture.grey(width: picture.width, height: picture.height)
            let expected = try dlib.detections(in: grey)
            for detection in try detector.detections(in: grey) {
                let box = detector.boxConvention.landmarkBox(detection.box)
                guard let same = expected.first(where: { ($0.box.center - box.center).length < box.width / 2 }) else {
                    continue
                }
                found += 1
                ratios.append(same.box.width / box.width)
                shifts.append((same.box.center.y - box.center.y) / box.width)
            }
        }
        ratios.sort()
        shifts.sort()
        #expect(found >= Sample.all.count)
        #expect(abs(ratios[ratios.count / 2] - 1) < tolerance)
        #expect(abs(shifts[shifts.count / 2]) < 0.03)
    }

    /// dlib writes past the end of pictures that are too long for it, and corrupts the heap.
    @Test(arguments: SlowTests.areWanted ? [false, true] : [false]) func longPicturesAreSearchedInParts(
        _ isUpright: Bool
    ) throws {
        let ada = try PictureReader.read("\(Repository.root)/samples/ada.jpg").pixels.resized(width: 192, height: 240)
        let detector = try HOGFaceDetector()
        let face = try #require(try detector.detections(in: ada.grey(width: 192, height: 240)).first).box
        // Among them one that the first part cuts off.
        let places = [0, 16_300, 16_800]
        var strip = try PixelBuffer(width: isUpright ? 192 : 17_000, height: isUpright ? 17_040 : 240, format: .rgba8)
        for place in places { strip.paste(ada, x: isUpright ? 0 : place, y: isUpright ? place : 0) }
        let grey = try strip.grey(width: strip.width, height: strip.height)
        let found = try detector.detections(in: grey).map { isUpright ? $0.box.center.y : $0.box.center.x }.sorted()
        let expected = places.map { Float($0) + (isUpright ? face.center.y : face.center.x) }
        #expect(found.count == 3 && zip(found, expected).allSatisfy { abs($0 - $1) < 20 }, "\(found) \(expected)")
    }

    /// The tracker works with each of them.
    @Test(arguments: CascadeFaceDetector.Features.allCases) func trackersUseThem(
        _ features: CascadeFaceDetector.Features
    ) throws {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath),
            reference: Repository.referenceFace(), settings: settings, detector: { try CascadeFaceDetector(features) })
        let picture = try PictureReader.read("\(Repository.root)/samples/ada.jpg").pixels.withEightBits()
        let truth = try #require(
            Landmarks(Array(PointsFile.parse(Repository.text("samples/ada.pts")).prefix(68))))
        try tracker.track(picture, at: 0)
        let found = try #require(tracker.faces.first).face.landmarks
        let distance = (0..<68).reduce(Float(0)) { $0 + (found[$1] - truth[$1]).length } / 68
        #expect(distance < 0.08 * truth.interocularDistance)
    }
}
