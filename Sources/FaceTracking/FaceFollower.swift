import FaceGeometry
import Pixels

/// Follows one face from frame to frame.
///
/// Two estimates are fused in every frame. Optical flow measures how each landmark moved since the last frame: it is
/// accurate from one frame to the next, but drifts. The landmark model measures where each landmark is: it does not
/// drift, but jitters. The prediction from flow is corrected towards the model by a fraction of their difference, as a
/// Kalman filter of constant gain does. Where flow fails (hands, hair, the edge of the jaw against a wall), the motion of
/// the whole face replaces it.
final class FaceFollower {
    /// Lengths are in sides of the face's box.
    private enum Constant {
        /// How fast the prediction is corrected towards the model: the cutoff of a low-pass filter, in hertz.
        static let correctionCutoff: Float = 3.1
        /// Above this speed, in sides per second, the cutoff grows by `cutoffBoostPerSpeed` hertz for each side per second.
        static let cutoffBoostSpeed: Float = 0.6
        static let cutoffBoostPerSpeed: Float = 10
        /// When the model differs from the prediction by more than this, all but this distance is corrected at once.
        static let largestDisagreement: Float = 0.026
        /// A disagreement is unusual above this multiple of its running mean, which is learnt in about twenty frames.
        static let unusual: Float = 1.5
        static let learningRate: Float = 0.05
        /// Flow is unreliable above this multiple of its usual residual.
        static let badFlow: Float = 1.8
        /// A face moves slowly below this speed, in sides per second.
        static let slow: Float = 0.3
        /// How much the flow of one landmark may differ from the motion of the whole face; up to three times as much, its
        /// weight falls to 0. The jaw line has no texture along itself.
        static let expressionFlow: Float = 0.007
        static let jawFlow: Float = 0.0035
        /// The residual at which a landmark counts as an outlier of the motion of the whole face.
        static let outlier: Float = 0.0035
        /// The side of the patch in which flow is computed.
        static let patch: Float = 1.4
        /// How the box is displaced to measure the model's uncertainty.
        static let probeShift = Point(0.06, 0.04)
        static let probeScale: Float = 0.06
    }

    /// The landmarks in the last frame: flow and model fused, not smoothed further.
    private(set) var landmarks: Landmarks
    /// The landmarks of the model alone in the last frame.
    private(set) var observed: Landmarks
    private(set) var box: OrientedBox
    /// How far apart the model's answers lie when it starts from displaced boxes: the mean distance of the middle half of
    /// the landmarks (interquartile mean), in sides of the box, summed over the last two probes. On a face the model
    /// returns to the same landmarks, elsewhere it does not (docs/decisions/0009). A model that reports its uncertainty
    /// is not probed.
    private(set) var uncertainty: Float = 0
    /// The differences between model and prediction in the last frame, in sides of the box, and the running mean of their
    /// mean length.
    private var lastDisagreement = Landmarks.Storage(repeating: .zero)
    private var usualDisagreement: Float = 0.01
    /// Whether flow followed the skin in the last frame: nothing came in front of it or in its place.
    private(set) var isFlowGood = true
    /// The running mean of the residual of flow, in grey values.
    private var usualResidual: Float = 3
    /// Whether the model's answer in the last frame was so far from the prediction that it may belong to another face.
    private(set) var hasJumped = false

    private let model: any LandmarkModel
    /// The model's answer from the box around its own last answer.
    private var seen: Landmarks
    /// What the model reports beside the landmarks.
    private var measuredHeadPoints: HeadPoints?
    private var reportedUncertainty: Float?
    private var patch = FlowPatch()
    private var nextPatch = FlowPatch()
    private var probes = InlineArray<2, Float>(repeating: 0)
    private var probeCount = 0

    /// - Parameter start: a box in the convention of dlib's detector.
    init(_ picture: borrowing PixelBuffer, box start: OrientedBox, model: any LandmarkModel) throws(VisionError) {
        self.model = model
        // The second evaluation starts from the first one's landmarks, so that the box fits a rotated head.
        let first = try model.estimate(in: picture, box: start)
        let second = try model.estimate(in: picture, box: model.box(around: first.landmarks))
        seen = second.landmarks
        measuredHeadPoints = second.headPoints
        reportedUncertainty = second.uncertainty
        landmarks = seen
        observed = seen
        box = model.box(around: seen)
        patch.extract(picture, from: box.scaled(by: Constant.patch))
        try probe(picture)
        try probe(picture)
    }

    var expression: Expression {
        func uprightness(_ eye: LandmarkTopology.Contour) -> Float {
            let width = (landmarks[eye.right] - landmarks[eye.left]).length
            return patch.uprightness(around: landmarks.center(of: eye.outline), size: Point(0.8, 0.5) * width)
        }
        return Expression(
            landmarks, rightEyeUprightness: uprightness(Landmarks.topology.rightEye),
            leftEyeUprightness: uprightness(Landmarks.topology.leftEye))
    }

    var measurement: LandmarkMeasurement {
        LandmarkMeasurement(fused: landmarks, observed: observed, headPoints: measuredHeadPoints)
    }

    var modelReportsUncertainty: Bool { reportedUncertainty != nil }

    /// Takes the next frame.
    /// - Parameters:
    ///   - seconds: since the frame before.
    ///   - trustsModel: whether the prediction from flow is corrected towards the model.
    func follow(
        _ picture: borrowing PixelBuffer, seconds: Float, trustsModel: Bool = true
    ) throws(VisionError) {
        let predicted = predict(picture)
        let predictedBox = model.box(around: predicted)
        // The mean of evaluations from two boxes jitters less than either.
        let first = try model.estimate(in: picture, box: trustsModel ? model.box(around: seen) : predictedBox)
        let second = try model.estimate(in: picture, box: predictedBox)
        seen = first.landmarks
        reportedUncertainty = first.uncertainty
        measuredHeadPoints = first.headPoints.map { a in
            second.headPoints.map { b in HeadPoints { (a[$0] + b[$0]) / 2 } } ?? a
        }
        // Fast faces are blurred, which makes flow worse.
        let speed = (predictedBox.center - box.center).length / (box.side * max(seconds, 1e-3))
        let cutoffBoost = Constant.cutoffBoostPerSpeed * max(0, speed - Constant.cutoffBoostSpeed)
        let weight = OneEuroFilter.weight(cutoff: Constant.correctionCutoff + cutoffBoost, seconds: seconds)
        let mean = first.landmarks.mappedWithIndex { index, point in (point + second.landmarks[index]) / 2 }
        observed = mean
        let disagreement = Landmarks.Storage { (mean[$0] - predicted[$0]) / predictedBox.side }
        let (trust, isConfirmed) = judge(disagreement, trustsFlow: isFlowGood && speed < Constant.slow)
        landmarks = predicted.mappedWithIndex { index, point in
            guard trustsModel else { return point }
            let length = disagreement[index].length
            // A large difference is corrected at once only if it was there in the last frame too.
            let urgent = isConfirmed ? 1 - Constant.largestDisagreement / max(length, 1e-6) : 0
            return point + max(weight * trust, urgent) * predictedBox.side * disagreement[index]
        }
        lastDisagreement = disagreement
        hasJumped = meanLength(disagreement) > 0.2
        box = model.box(around: landmarks)
        patch.extract(picture, from: box.scaled(by: Constant.patch))
    }

    /// The weight of the model in this frame, 0…1. Occasionally the model moves the whole face for a single frame: then it
    /// differs from the prediction more than usual, and not in the same direction as in the frame before.
    /// - Returns: also whether the difference points in the same direction as in the frame before.
    private func judge(
        _ disagreement: Landmarks.Storage, trustsFlow: Bool
    ) -> (trust: Float, isConfirmed: Bool) {
        let size = meanLength(disagreement)
        let ratio = size / max(usualDisagreement, 1e-4)
        usualDisagreement += Constant.learningRate * (min(size, 3 * usualDisagreement) - usualDisagreement)
        var (dot, square, lastSquare) = (Float(0), Float(0), Float(0))
        for index in disagreement.indices {
            dot += (disagreement[index] * lastDisagreement[index]).sum()
            square += (disagreement[index] * disagreement[index]).sum()
            lastSquare += (lastDisagreement[index] * lastDisagreement[index]).sum()
        }
        let isConfirmed = dot > 0.5 * (square * lastSquare).squareRoot()
        // When the face moves fast or the residual of flow is large, flow may be what is wrong.
        guard trustsFlow else { return (1, true) }
        guard !isConfirmed, ratio > Constant.unusual else { return (1, isConfirmed) }
        return (Constant.unusual * Constant.unusual / (ratio * ratio), false)
    }

    private func meanLength(_ offsets: Landmarks.Storage) -> Float {
        var sum: Float = 0
        for index in offsets.indices { sum += offsets[index].length }
        return sum / Float(Landmarks.count)
    }

    /// Measures the uncertainty again: whether this is still a face.
    func probe(_ picture: borrowing PixelBuffer) throws(VisionError) {
        if let reportedUncertainty {
            uncertainty = reportedUncertainty
            return
        }
        let sign: Float = probeCount % 2 == 0 ? 1 : -1
        let start = model.box(around: seen)
        let answer = try model.estimate(
            in: picture,
            box: start.shifted(by: sign * Constant.probeShift).scaled(by: 1 + sign * Constant.probeScale)
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

    /// The grey values of the face, to tell it from other faces.
    var descriptor: FaceDescriptor { FaceDescriptor(patch) }

    // MARK: Flow

    /// The landmarks predicted for a frame by flow from the last frame.
    private func predict(_ picture: borrowing PixelBuffer) -> Landmarks {
        nextPatch.extract(picture, likeThat: patch)
        let points = Landmarks.Storage { landmarks[$0] }
        let flow = patch.follow(points, into: nextPatch)
        guard let moved = Landmarks(flow.moved) else { return landmarks }
        let side = box.side
        let whole = wholeMotion(to: moved, followed: flow.residual)
        judgeFlow(flow.residual)
        let (before, residual) = (landmarks, flow.residual)
        return landmarks.mappedWithIndex { index, _ in
            let rigid = whole(before[index])
            guard residual[index] >= 0 else { return rigid }
            let own = moved[index] - rigid
            let limit = side * (Landmarks.topology.isOnJaw(index) ? Constant.jawFlow : Constant.expressionFlow)
            let trust = (3 * limit - own.length) / (2 * limit)
            return rigid + max(0, min(1, trust)) * own
        }
    }

    /// A residual far above the usual means that flow has failed: a jump, a cut, something in front of the face.
    private func judgeFlow(_ residual: PerLandmark<Float>) {
        var (sum, count) = (Float(0), Float(0))
        for index in Landmarks.topology.inner where residual[index] >= 0 {
            sum += residual[index]
            count += 1
        }
        let mean = sum / max(count, 1)
        isFlowGood = count >= 20 && mean < Constant.badFlow * usualResidual + 1
        usualResidual += Constant.learningRate * (min(mean, 2 * usualResidual) - usualResidual)
    }

    /// The motion of the face as a whole: a similarity, robust against outliers (iteratively reweighted least squares with
    /// squared Cauchy weights).
    private func wholeMotion(
        to moved: Landmarks, followed residual: PerLandmark<Float>
    ) -> SimilarityTransform {
        var base = PerLandmark<Float>(repeating: 1)
        for index in base.indices {
            base[index] = residual[index] < 0 ? 0 : Landmarks.topology.isOnJaw(index) ? 0.3 : 1
        }
        var weights = base
        let tolerance = Constant.outlier * box.side
        var motion = SimilarityTransform(fitting: landmarks, to: moved, weights: weights)
        for _ in 0..<4 {
            for index in weights.indices {
                let error = (moved[index] - motion(landmarks[index])).length / tolerance
                let weight = 1 / (1 + error * error)
                weights[index] = base[index] * weight * weight
            }
            motion = SimilarityTransform(fitting: landmarks, to: moved, weights: weights)
        }
        return motion
    }
}
