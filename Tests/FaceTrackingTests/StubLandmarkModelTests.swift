import FaceGeometry
import FaceTracking
import ImageFiles
import Pixels
import Synchronization
import TestSupport
import Testing

/// A landmark model that is no cascade: it measures head points and reports its uncertainty.
private final class StubModel: LandmarkModel {
    private let answer: LandmarkEstimate
    private let uncertainty = Mutex<Float>(0.01)

    init(_ answer: LandmarkEstimate) { self.answer = answer }

    func loseTheFace() { uncertainty.withLock { $0 = 1 } }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        var result = answer
        result.uncertainty = uncertainty.withLock { $0 }
        return result
    }
}

private final class StubDetector: FaceDetector {
    let boxConvention = BoxConvention.dlib
    let smallestFace = 40
    let seesColor = false
    private let box: FaceBox

    init(_ box: FaceBox) { self.box = box }

    func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        let scale = Float(picture.width) / 320
        let place = FaceBox(
            x: scale * box.x, y: scale * box.y, width: scale * box.width, height: scale * box.height)
        return [FaceDetection(box: place, score: 1)]
    }
}

@Suite struct StubLandmarkModelTests {
    private let reference: ReferenceFace
    private let landmarks: Landmarks
    private let headPoints: HeadPoints
    private let model: StubModel

    init() throws {
        let reference = try Repository.referenceFace()
        self.reference = reference
        landmarks = reference.landmarks.mapped { Point(60, 20) + 200 * $0 }
        // Not where the landmarks alone would put them.
        headPoints = HeadPoints { Point(60, 12) + 200 * reference.vertices[$0.vertex] }
        model = StubModel(LandmarkEstimate(landmarks: landmarks, headPoints: headPoints))
    }

    private func tracker() throws -> FaceTracker {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let box = FaceBox(OrientedBox(around: landmarks))
        return try FaceTracker(model: model, reference: reference, settings: settings) { StubDetector(box) }
    }

    @Test func measuredHeadPointsReachTheFace() throws {
        let tracker = try tracker()
        let frame = try PixelBuffer(width: 320, height: 240, format: .grey8)
        for index in 0..<5 { try tracker.track(frame, at: Double(index) / 25) }
        let face = try #require(tracker.faces.first?.face)
        for point in HeadPoint.allCases {
            #expect((face.headPoints[point] - headPoints[point]).length < 0.1, "\(point)")
        }
        let derived = Face(landmarks: landmarks, reference: reference)
        #expect((derived.headPoints[.hairlineCenter] - headPoints[.hairlineCenter]).length > 5)
    }

    @Test func reportedUncertaintyTakesThePlaceOfProbes() throws {
        let tracker = try tracker()
        let frame = try PixelBuffer(width: 320, height: 240, format: .grey8)
        try tracker.track(frame, at: 0)
        #expect(tracker.faces.first?.face.uncertainty == 0.01)
        model.loseTheFace()
        for index in 1..<12 { try tracker.track(frame, at: Double(index) / 25) }
        #expect(tracker.faces.isEmpty)
    }

    @Test func aPhotographTakesWhatTheModelMeasures() throws {
        let model = model
        let finder = try PhotographFaces(reference: reference) { model }
        let photograph = try PictureReader.read("\(Repository.root)/samples/ada.jpg")
        let face = try #require(try finder.faces(in: photograph.pixels).faces.first)
        #expect(face.uncertainty == 0.01)
        #expect((face.detectorScore ?? 0) > 0)
    }
}
