import FaceGeometry
import LandmarkModels
import Pixels
import Vision

/// The observations of the landmark model on one face from frame to frame, as far as it is evaluated.
final class LandmarkObserver {
    /// Lengths are in sides of the face's box.
    private enum Constant {
        /// How the box is displaced to measure the model's uncertainty.
        static let probeShift = Point(0.06, 0.04)
        static let probeScale: Float = 0.06
    }

    /// The landmarks of the model alone in the last frame.
    private(set) var landmarks: Landmarks
    /// The head points that the model measures, in the last frame.
    private(set) var headPoints: HeadPoints?
    /// See `FaceFollower.uncertainty`.
    private(set) var uncertainty: Float = 0
    /// Whether the last frame took what was awaited.
    private(set) var hasCompleted = false
    /// Whether the landmarks of the lids are exact.
    private(set) var hasExactLids = false
    var reportsUncertainty: Bool { reportedUncertainty != nil }

    private let model: any LandmarkModel
    private let mean: MeanFace
    private var reportedUncertainty: Float?
    private var memory = LandmarkMemory()
    /// The evaluation between the last frame and the next one, and the other part's result in the last one.
    private var awaited: (evaluation: PreparedEvaluation, part: Landmarks)?
    /// The evaluation in this frame, made while the face's place was still unknown.
    private var early: PreparedEvaluation?
    private var probes = InlineArray<2, Float>(repeating: 0)
    private var probeCount = 0

    /// - Parameter start: a box in the convention of dlib's detector.
    init(
        _ picture: borrowing PixelBuffer, box start: OrientedBox, model: any LandmarkModel, mean: MeanFace
    ) throws(VisionError) {
        self.model = model
        self.mean = mean
        // The second evaluation starts from the first one's landmarks, so that the box fits a rotated head.
        let first = try model.estimate(in: picture, box: start)
        let second = try model.estimate(in: picture, box: model.box(around: first.landmarks))
        landmarks = second.landmarks
        headPoints = second.headPoints
        reportedUncertainty = second.uncertainty
        hasExactLids = second.hasExactLids
    }

    deinit {
        if let awaited { model.recycle(awaited.evaluation) }
        if let early { model.recycle(early) }
    }

    /// The evaluation that any thread may do until the next frame.
    var awaitedEvaluation: PreparedEvaluation? { awaited?.evaluation }

    /// Takes what was left to be evaluated after the last frame.
    func takeAwaited() throws(VisionError) {
        // After an error it may be left from the last frame.
        if let early = early.take() { model.recycle(early) }
        hasCompleted = awaited != nil
        guard let (evaluation, part) = awaited.take() else { return }
        defer { model.recycle(evaluation) }
        report(try model.complete(evaluation, with: part, memory: &memory))
    }

    /// Takes what the whole model reports beside the landmarks.
    private func report(_ estimate: LandmarkEstimate) {
        reportedUncertainty = estimate.uncertainty
        headPoints = estimate.headPoints
        hasExactLids = estimate.hasExactLids
    }

    /// Where the model finds the face, roughly: `observe` is still to be called for this frame.
    /// - Parameters:
    ///   - helper: another thread on which to evaluate the model.
    ///   - meanwhile: the caller's work at the same time.
    func search(
        _ picture: borrowing PixelBuffer, box: OrientedBox, helper: EvaluationThread?, meanwhile: () -> Void
    ) throws(VisionError) -> Landmarks {
        guard let evaluation = try model.prepare(in: picture, box: box) else {
            meanwhile()
            return try model.estimate(in: picture, box: box).landmarks
        }
        early = evaluation
        helper?.start(evaluation)
        meanwhile()
        helper?.finish()
        return try model.result(of: evaluation).landmarks
    }

    /// Evaluates the model.
    /// - Parameters:
    ///   - expected: see `LandmarkModel.estimate`.
    ///   - hasTurn: whether parts that are left out are then awaited.
    ///   - noise: of the pictures: 1 for a good camera.
    func observe(
        _ picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, hasTurn: Bool, noise: Float
    ) throws(VisionError) {
        let estimate = try estimate(picture, box: box, expected: expected)
        if hasTurn, let part = estimate.part, let evaluation = try model.prepare(in: picture, box: box) {
            awaited = (evaluation, part)
        }
        let last = landmarks
        landmarks = estimate.landmarks
        // In noisy pictures the mean of two answers of a cascade is better than one.
        if noise > 1, estimate.uncertainty == nil {
            let other = Self.displaced(box, by: 1 / 3)
            let second = try model.estimate(in: picture, box: other, expected: expected, memory: &memory).landmarks
            landmarks = landmarks.mappedWithIndex { ($1 + second[$0]) / 2 }
        }
        if estimate.isWhole { report(estimate) } else { follow(from: last) }
    }

    private func estimate(
        _ picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?
    ) throws(VisionError) -> LandmarkEstimate {
        guard let evaluation = early.take() else {
            return try model.estimate(in: picture, box: box, expected: expected, memory: &memory)
        }
        defer { model.recycle(evaluation) }
        // What costs most is not evaluated twice.
        guard expected == nil, evaluation.box.isSimilar(to: box) else {
            return try model.estimate(in: picture, box: box, expected: expected, memory: &memory)
        }
        return try model.estimate(in: picture, box: box, with: evaluation, memory: &memory)
    }

    /// Results that only the whole model has are carried over from the last frame.
    private func follow(from last: Landmarks) {
        if let points = headPoints {
            let moved = SimilarityTransform(fitting: last, to: landmarks, weights: mean.rigidWeights)
            headPoints = HeadPoints { moved(points[$0]) }
        }
    }

    /// Measures the uncertainty again: whether this is still a face.
    func probe(_ picture: borrowing PixelBuffer) throws(VisionError) {
        if let reportedUncertainty {
            uncertainty = reportedUncertainty
            return
        }
        let sign: Float = probeCount % 2 == 0 ? 1 : -1
        let seen = landmarks
        let start = model.box(around: seen)
        let answer = try model.estimate(
            in: picture, box: Self.displaced(start, by: sign)
        ).landmarks
        // Insertion sort: the array is short and inline.
        var distances = PerLandmark<Float>(repeating: 0)
        for index in 0..<Landmarks.count {
            let distance = (answer[index] - seen[index]).length
            var place = index
            while place > 0, distances[place - 1] > distance {
                distances[place] = distances[place - 1]
                place -= 1
            }
            distances[place] = distance
        }
        var sum: Float = 0
        for index in Landmarks.count / 4..<Landmarks.count * 3 / 4 { sum += distances[index] }
        probes[probeCount % 2] = sum / Float(Landmarks.count / 2) / start.side
        probeCount += 1
        uncertainty = probes[0] + probes[1]
    }

    /// The box from which a model's answer is compared with that of the box itself.
    private static func displaced(_ box: OrientedBox, by share: Float) -> OrientedBox {
        box.shifted(by: share * Constant.probeShift).scaled(by: 1 + share * Constant.probeScale)
    }
}
