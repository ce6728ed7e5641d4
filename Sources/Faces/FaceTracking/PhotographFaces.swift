import Detection
import FaceGeometry
import LandmarkModels
import Pixels
import Vision

/// Finds the faces in single photographs. One for each thread; the landmark model is shared.
package final class PhotographFaces {
    /// The faces found, and the time taken.
    package struct Result: Sendable {
        /// Largest first.
        package var faces: [Face]
        /// Places that only a thorough search reports.
        package var unsure: [UnsureFace] = []
        package var detectionTime: Duration
        package var landmarkTime: Duration
    }

    /// A detection with its landmarks, in pixels of the picture that was searched.
    struct Candidate {
        var box: FaceBox
        var detectorScore: Double
        var estimate: LandmarkEstimate
    }

    struct Search {
        /// Largest first.
        var candidates: [Candidate] = []
        /// Whether a second detector is to be asked. Only MediaPipe's detector doubts.
        var isDoubtful = false
        var detectionTime = Duration.zero
        var landmarkTime = Duration.zero

        /// Whether a candidate is in about the same place.
        func knows(_ box: FaceBox) -> Bool {
            candidates.contains { ($0.box.center - box.center).length < 0.5 * max($0.box.width, box.width) }
        }
    }

    /// Of photographs: upright first.
    static let rotations: [Orientation] = [.upright, .turnRight, .turnLeft, .upsideDown]

    let detector: any FaceDetector
    private let makeRecallDetector: (FaceModels.RecallUse) throws(VisionError) -> CenterFaceDetector?
    private var madeRecallDetectors: [FaceModels.RecallUse: CenterFaceDetector] = [:]
    let model: @Sendable () throws -> any LandmarkModel
    private let reference: ReferenceFace

    /// - Parameters:
    ///   - detector: nil: dlib's.
    ///   - recallDetector: makes a second detector, where `detector` is a `NetworkFaceDetector`; nil: none is installed.
    ///   - model: called for each face; until then the model may still be loading.
    package init(
        reference: ReferenceFace, detector: (any FaceDetector)? = nil,
        recallDetector: @escaping (FaceModels.RecallUse) throws(VisionError) -> CenterFaceDetector? = {
            _ throws(VisionError) in nil
        },
        model: @escaping @Sendable () throws -> any LandmarkModel
    ) throws(VisionError) {
        makeRecallDetector = recallDetector
        if let detector { self.detector = detector } else { self.detector = try HOGFaceDetector() }
        self.model = model
        self.reference = reference
    }

    /// It is made when it is needed first.
    /// - Returns: nil if none is installed.
    func recallDetector(_ use: FaceModels.RecallUse) throws(VisionError) -> CenterFaceDetector? {
        if let made = madeRecallDetectors[use] { return made }
        let made = try makeRecallDetector(use)
        madeRecallDetectors[use] = made
        return made
    }

    /// Loads the models. In doubt, no face is found.
    package convenience init(reference: ReferenceFace, models: FaceModels) throws(VisionError) {
        let model = try models.loadLandmarkModel(for: .photographs)
        try self.init(reference: reference, detector: models.makeDetector(for: .photographs)) { model }
    }

    /// The faces in an `rgba8` photograph that may be rotated by 90°, 180° or 270°: where no face is found in the
    /// photograph as it is, rotated copies are searched.
    package func facesAtAnyRotation(
        in photograph: borrowing PixelBuffer, minimumFaceWidth: Int? = nil
    ) throws -> Result {
        // The network does so by itself.
        if detector is NetworkFaceDetector { return try faces(in: photograph, minimumFaceWidth: minimumFaceWidth) }
        var search = try search(photograph, minimumFaceWidth)
        for orientation in Self.rotations.dropFirst() where search.candidates.isEmpty {
            let rotated = try photograph.copy().turnedUpright(from: orientation)
            let size = Point(Float(photograph.width), Float(photograph.height))
            let found = try self.search(rotated, minimumFaceWidth)
            search.detectionTime += found.detectionTime
            search.landmarkTime += found.landmarkTime
            search.candidates = found.candidates.map { $0.mapped { orientation.source(of: $0, size: size) } }
        }
        return result(search)
    }

    /// The faces in an `rgba8` photograph.
    /// - Parameter minimumFaceWidth: narrower faces are left out, in pixels. Nil: the smallest that a search at a bounded
    ///   cost finds (see `DetectionPlan`).
    package func faces(in photograph: borrowing PixelBuffer, minimumFaceWidth: Int? = nil) throws -> Result {
        var search = try search(photograph, minimumFaceWidth)
        if search.isDoubtful { try addClearFaces(to: &search, photograph, minimumFaceWidth) }
        return result(search)
    }

    func result(_ search: Search) -> Result {
        let faces = search.candidates.map { candidate in
            Face(
                landmarks: candidate.estimate.landmarks, reference: reference, box: candidate.box,
                detectorScore: candidate.detectorScore, uncertainty: candidate.estimate.uncertainty,
                headPoints: candidate.estimate.headPoints)
        }
        return Result(
            faces: faces, detectionTime: search.detectionTime, landmarkTime: search.landmarkTime)
    }

    func search(_ photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int?) throws -> Search {
        if let network = detector as? NetworkFaceDetector {
            return try search(photograph, minimumFaceWidth, with: network)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let scales = DetectionPlan.scales(
            width: photograph.width, height: photograph.height, smallestDetected: detector.smallestFace,
            minimumFaceWidth: minimumFaceWidth)
        for (attempt, scale) in scales.enumerated() {
            let grey = try photograph.grey(
                width: max(1, Int((Double(photograph.width) * scale).rounded())),
                height: max(1, Int((Double(photograph.height) * scale).rounded())))
            let detections =
                detector.seesColor
                ? try detector.detections(in: photograph.resized(width: grey.width, height: grey.height))
                : try detector.detections(in: grey)
            guard !detections.isEmpty || attempt == scales.count - 1 else { continue }
            let detected = clock.now
            let candidates =
                try detections
                .map { try candidate($0, scale: Float(scale), in: photograph, grey: grey) }
                .filter { $0.box.width >= Float(minimumFaceWidth ?? 0) }
                .sorted { $0.box.area > $1.box.area }
            return Search(
                candidates: candidates, detectionTime: detected - start, landmarkTime: clock.now - detected)
        }
        return Search(detectionTime: clock.now - start)
    }

    private func candidate(
        _ detection: FaceDetection, scale: Float, in photograph: borrowing PixelBuffer,
        grey: borrowing PixelBuffer
    ) throws -> Candidate {
        let detected = detector.boxConvention.landmarkBox(detection.box)
        let box = detected.scaled(by: 1 / scale)
        // A small face has few pixels for the model; the magnified picture has interpolated values between them.
        let estimate =
            scale > 1
            ? try model().estimate(in: grey, detected: detected).mapped { $0 / scale }
            : try model().estimate(in: photograph, detected: box)
        return Candidate(box: box, detectorScore: detection.score, estimate: estimate)
    }
}

extension PhotographFaces.Candidate {
    /// - Parameter transform: takes upright boxes to upright boxes.
    func mapped(_ transform: (Point) -> Point) -> Self {
        let corners = [box.x, box.x + box.width].flatMap { x in
            [box.y, box.y + box.height].map { y in transform(Point(x, y)) }
        }
        return Self(
            box: FaceBox(around: corners), detectorScore: detectorScore, estimate: estimate.mapped(transform))
    }
}
