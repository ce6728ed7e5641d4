import Detection
import FaceGeometry
import FaceTracking
import ImageFiles
import LandmarkModels
import Pixels
import Synchronization
import TestSupport
import Testing
import Vision

/// A landmark model that is no cascade: it measures head points and reports its uncertainty.
private final class StubModel: LandmarkModel {
    private let answer: LandmarkEstimate
    /// Whether a face elsewhere is as large as its box.
    private let scales: Bool
    private let uncertainty = Mutex<Float>(0.01)
    /// Boxes whose centre is right of it cannot be evaluated.
    private let failing = Mutex<Float>(.infinity)
    /// Boxes whose centre is right of it have no face.
    private let doubtful = Mutex<Float>(.infinity)

    init(_ answer: LandmarkEstimate, scales: Bool = false) { (self.answer, self.scales) = (answer, scales) }

    func fail(rightOf x: Float) { failing.withLock { $0 = x } }

    func doubt(rightOf x: Float) { doubtful.withLock { $0 = x } }

    func loseTheFace() { uncertainty.withLock { $0 = 1 } }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        if box.center.x > failing.withLock({ $0 }) {
            throw VisionError(.failed, "the landmark model returned landmarks that are not finite")
        }
        var result = answer
        // Another face around the box.
        let own = OrientedBox(around: answer.landmarks)
        if (box.center - own.center).length > 100 {
            let factor = scales ? box.side / own.side : 1
            result = LandmarkEstimate(landmarks: answer.landmarks.mapped { box.center + factor * ($0 - own.center) })
        }
        result.uncertainty = box.center.x > doubtful.withLock { $0 } ? 1 : uncertainty.withLock { $0 }
        return result
    }
}

private final class StubDetector: FaceDetector {
    let boxConvention = BoxConvention.dlib
    let smallestFace = 40
    let seesColor = false
    private let boxes: [FaceBox]
    private let keyPoints: FaceKeyPoints?
    private let sight: Sight
    /// Whether what is smaller than `smallestFace` in the picture is not found.
    private let findsLargeOnly: Bool

    /// Whether a detector sees anything.
    final class Sight: Sendable {
        private let isThere = Mutex(true)

        func lose() { isThere.withLock { $0 = false } }

        var isLost: Bool { isThere.withLock { !$0 } }
    }

    init(
        _ boxes: FaceBox..., keyPoints: FaceKeyPoints? = nil, sight: Sight = Sight(), findsLargeOnly: Bool = false
    ) {
        (self.boxes, self.keyPoints, self.sight, self.findsLargeOnly) = (boxes, keyPoints, sight, findsLargeOnly)
    }

    func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        if sight.isLost { return [] }
        let scale = Float(picture.width) / 320
        return boxes.filter { !findsLargeOnly || scale * $0.width >= Float(smallestFace) }.map { box in
            let place = FaceBox(
                x: scale * box.x, y: scale * box.y, width: scale * box.width, height: scale * box.height)
            var detection = FaceDetection(box: place, score: 1)
            detection.keyPoints = keyPoints?.mapped { scale * $0 }
            return detection
        }
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

    /// Something that flow can follow.
    private static func chequered(width: Int, height: Int) throws -> PixelBuffer {
        var frame = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            frame.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(SIMD3(repeating: UInt8((x / 8 * 37 + y / 8 * 59) % 251)), 255) }
            }
        }
        return frame
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

    /// A face that is smaller than those that are searched for is counted, and not followed.
    @Test func smallerFacesAreCounted() throws {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        // The detector scales boxes with the picture, which is four times as wide as it expects.
        let boxes = (FaceBox(OrientedBox(around: landmarks)), FaceBox(x: 292, y: 10, width: 17, height: 17))
        let model = StubModel(LandmarkEstimate(landmarks: landmarks.mapped { 4 * $0 }), scales: true)
        let tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
            StubDetector(boxes.0, boxes.1, findsLargeOnly: true)
        }
        tracker.countsSmallerFaces = true
        let frame = try PixelBuffer(width: 1280, height: 960, format: .grey8)
        var counts: [Int] = []
        for index in 0..<60 {
            try tracker.track(frame, at: Double(index) / 10)
            counts.append(tracker.smallerFaces)
        }
        // Not in the first frame, which would wait for it.
        #expect(counts.first == 0 && counts.last == 1 && tracker.faces.count == 1, "\(counts)")
        tracker.smallestFace = .share(0.05)
        for index in 60..<120 { try tracker.track(frame, at: Double(index) / 10) }
        #expect(tracker.smallerFaces == 0 && tracker.faces.count == 2)
    }

    /// What is hardly smaller is followed, or the landmark model takes it for no face: then it is none that is bare.
    @Test(arguments: [false, true]) func whatIsNoFaceIsNotCounted(_ isFace: Bool) throws {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let boxes = (FaceBox(OrientedBox(around: landmarks)), FaceBox(x: 288, y: 10, width: 21, height: 21))
        let model = StubModel(LandmarkEstimate(landmarks: landmarks.mapped { 4 * $0 }), scales: true)
        if !isFace { model.doubt(rightOf: 1000) }
        let tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
            StubDetector(boxes.0, boxes.1, findsLargeOnly: true)
        }
        tracker.countsSmallerFaces = true
        let frame = try PixelBuffer(width: 1280, height: 960, format: .grey8)
        var most = 0
        for index in 0..<60 {
            try tracker.track(frame, at: Double(index) / 10)
            most = max(most, tracker.smallerFaces)
        }
        #expect(most == 0 && tracker.faces.count == (isFace ? 2 : 1))
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

    /// Where the landmark model does not know a face, one is tracked as long as a detector finds it with the same points.
    @Test func aDetectorVouchesForAFace() throws {
        model.loseTheFace()
        let frame = try Self.chequered(width: 320, height: 240)
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let box = FaceBox(OrientedBox(around: landmarks))
        let points = FaceKeyPoints(landmarks)
        for other in [nil, points.mapped { $0 + Point(0, 40) }] {
            let tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
                StubDetector(box, keyPoints: other)
            }
            for index in 0..<10 { try tracker.track(frame, at: Double(index) / 25) }
            #expect(tracker.faces.isEmpty)
        }
        let sight = StubDetector.Sight()
        let tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
            StubDetector(box, keyPoints: points, sight: sight)
        }
        for index in 0..<100 {
            try tracker.track(frame, at: Double(index) / 25)
            #expect(tracker.faces.count == 1 && tracker.faces[0].trackID == 1, "frame \(index)")
        }
        sight.lose()
        for index in 100..<130 { try tracker.track(frame, at: Double(index) / 25) }
        #expect(tracker.faces.isEmpty)
    }

    /// What comes beside a known face, and how far its middle is from that of the face, in sides of its box.
    enum Newcomer: CaseIterable {
        /// It would hide the known face.
        case printOnClothes
        /// It is beside the known face, or it is not much nearer.
        case personBeside, childInFront
        /// The known face is lost when it comes.
        case personInFront

        var offset: Point { self == .personBeside ? Point(-1.7, 0.5) : Point(-0.3, 1) }
        var size: Float { self == .childInFront ? 1.3 : 1.8 }
    }

    /// A head so large would be nearer, and hide the known face. In doubt, it is covered where faces are.
    @Test(arguments: Newcomer.allCases, [true, false])
    func aPrintOnClothesIsNoFace(_ newcomer: Newcomer, leavesOut: Bool) throws {
        let landmarks = landmarks.mapped { $0 + Point(560, 160) }
        let box = OrientedBox(around: landmarks)
        let model = StubModel(LandmarkEstimate(landmarks: landmarks), scales: true)
        var settings = FaceTracker.Settings()
        settings.leavesOutPrints = leavesOut
        settings.searchesInBackground = false
        let detector = ToldDetector()
        let tracker = try FaceTracker(model: model, reference: reference, settings: settings) { detector }
        // The detector scales boxes with the picture, which is four times as wide as it expects.
        func detection(_ center: Point, side: Float) -> FaceDetection {
            FaceDetection(box: OrientedBox(center: center / 4, side: side / 4, roll: 0), score: 1)
        }
        let frame = try Self.chequered(width: 1280, height: 720)
        let center = box.center + box.side * newcomer.offset
        detector.tell([detection(box.center, side: box.side)])
        for index in 0..<30 { try tracker.track(frame, at: Double(index) / 25) }
        try #require(tracker.faces.count == 1)
        detector.tell([detection(center, side: newcomer.size * box.side)])
        if newcomer == .personInFront { model.doubt(rightOf: (box.center.x + center.x) / 2) }
        for index in 30..<130 { try tracker.track(frame, at: Double(index) / 25) }
        let isThere = tracker.faces.contains { ($0.face.box.center - center).length < 0.2 * box.side }
        #expect(isThere == (newcomer != .printOnClothes || !leavesOut))
        let isKnown = tracker.faces.contains { ($0.face.box.center - box.center).length < 0.2 * box.side }
        #expect(isKnown == (newcomer != .personInFront))
    }

    /// The other face is followed on. A model that fails for every face is no video without faces.
    @Test func aFailureEndsOneTrack() throws {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        // The detector scales boxes with the picture, which is twice as wide as it expects.
        let box = FaceBox(OrientedBox(around: landmarks))
        let left = FaceBox(x: box.x / 2, y: box.y / 2, width: box.width / 2, height: box.height / 2)
        let right = FaceBox(x: left.x + 150, y: left.y, width: left.width, height: left.height)
        let tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
            StubDetector(left, right)
        }
        let frame = try PixelBuffer(width: 640, height: 240, format: .grey8)
        for index in 0..<5 { try tracker.track(frame, at: Double(index) / 25) }
        let before = tracker.faces.count
        try #require(before == 2)
        let middle = (tracker.faces[0].face.box.center.x + tracker.faces[1].face.box.center.x) / 2
        model.fail(rightOf: middle)
        for index in 5..<60 { try tracker.track(frame, at: Double(index) / 25) }
        #expect(tracker.faces.count == 1)
        model.fail(rightOf: 0)
        #expect(throws: VisionError.self) {
            for index in 60..<600 { try tracker.track(frame, at: Double(index) / 25) }
        }
    }

    /// Frames of 4K at 240 frames a second come out before they fill the memory.
    @Test func heldFramesAreBoundedByTheirBytes() throws {
        let box = FaceBox(OrientedBox(around: landmarks))
        let bytes = 320 * 240 * 4
        let tracker = try LookAheadTracker(model: model, reference: reference, largestHeldBytes: 10 * bytes) {
            StubDetector(box)
        }
        var (added, out, largest) = (0, 0, 0)
        for index in 0..<120 {
            try tracker.add(PixelBuffer(width: 320, height: 240, format: .rgba8), at: Double(index) / 240)
            added += 1
            while let output = try tracker.next(isEnding: false) {
                #expect(output.seconds == Double(out) / 240)
                out += 1
            }
            largest = max(largest, added - out)
        }
        #expect(largest <= 11, "\(largest) frames were held")
        while try tracker.next(isEnding: true) != nil { out += 1 }
        #expect(out == added)
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
