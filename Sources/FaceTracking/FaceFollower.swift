import FaceGeometry
import Pixels

/// Follows one face from frame to frame.
///
/// Two witnesses are heard in every frame. Optical flow tells how each landmark moved since the last frame: it is
/// exact from one frame to the next, but its errors add up. The landmark cascade tells where each landmark is: it never
/// drifts, but trembles. The flow's prediction is drawn towards what the cascade sees, as a Kalman filter of constant
/// gain would. Where flow leaves the face (hands, hair, the edge of the jaw against a wall), the motion of the whole
/// face takes its place.
final class FaceFollower {
    /// Constants, in shares of the side of the face's box where lengths are meant.
    private enum Constant {
        /// How fast the prediction is drawn towards the cascade, as a cutoff in hertz.
        static let correctionCutoff: Float = 3.1
        /// For faces that move faster than so many sides of their box a second, so many hertz more for each.
        static let cutoffBoostSpeed: Float = 0.6
        static let cutoffBoostPerSpeed: Float = 10
        /// What the cascade sees farther away than this is believed all but this distance.
        static let largestDisagreement: Float = 0.026
        /// More than so many times the usual disagreement is unusual; the usual is learnt in about twenty frames.
        static let unusual: Float = 1.5
        static let learningShare: Float = 0.05
        /// Flow that leaves so many times the usual difference is not to be trusted.
        static let badFlow: Float = 1.8
        /// Slower than this, in sides of the box a second.
        static let slow: Float = 0.3
        /// How much a landmark's own flow may differ from the whole face's; up to three times as much counts less and
        /// less. The jaw line has nothing to hold on to along itself.
        static let expressionFlow: Float = 0.007
        static let jawFlow: Float = 0.0035
        /// What the whole face's flow takes for an outlier.
        static let outlier: Float = 0.0035
        /// The patch in which flow is followed, in sides of the face's box.
        static let patch: Float = 1.4
        /// How the box is displaced to see whether the cascade gives the same answer.
        static let probeShift = Point(0.06, 0.04)
        static let probeScale: Float = 0.06
    }

    /// The landmarks now: flow and cascade together, not smoothed further.
    private(set) var landmarks: Landmarks
    /// What the cascade alone saw in the last frame.
    private(set) var observed: Landmarks
    private(set) var box: OrientedBox
    /// How far apart the cascade's answers lie when it starts from displaced boxes: the mean distance of the middle
    /// half of the landmarks, in shares of the box's side, added up over the last two probes. On a face it comes back to
    /// the same landmarks; elsewhere it ends up anywhere (docs/decisions/0009).
    private(set) var uncertainty: Float = 0
    /// By how much cascade and prediction disagreed in the last frame, in shares of the box's side, and usually do in
    /// the mean.
    private var lastDisagreement = Landmarks.Storage(repeating: .zero)
    private var usualDisagreement: Float = 0.01
    private var isFlowGood = true
    /// In grey values.
    private var usualResidual: Float = 3
    /// Whether the cascade's answer in the last frame was so far from the prediction that it may be another face's.
    private(set) var hasJumped = false

    private let cascade: LandmarkCascade
    /// What the cascade saw last, by itself.
    private var seen: Landmarks
    private var patch = FlowPatch()
    private var nextPatch = FlowPatch()
    private var probes = InlineArray<2, Float>(repeating: 0)
    private var probeCount = 0

    /// Starts from a box in the detector's convention.
    init(_ picture: borrowing PixelBuffer, box start: OrientedBox, cascade: LandmarkCascade) throws(VisionError) {
        self.cascade = cascade
        // Once more from the landmarks found: a head that is turned or tilted gets a box that fits.
        let first = try cascade.landmarks(in: picture, box: start)
        seen = try cascade.landmarks(in: picture, box: OrientedBox(around: first))
        landmarks = seen
        observed = seen
        box = OrientedBox(around: seen)
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

    var measurement: LandmarkMeasurement { LandmarkMeasurement(fused: landmarks, observed: observed) }

    /// Takes the next frame.
    /// - Parameter seconds: since the frame before.
    func follow(_ picture: borrowing PixelBuffer, seconds: Float) throws(VisionError) {
        let predicted = predict(picture)
        let predictedBox = OrientedBox(around: predicted)
        // The mean of two starts trembles less than either.
        let first = try cascade.landmarks(in: picture, box: OrientedBox(around: seen))
        let second = try cascade.landmarks(in: picture, box: predictedBox)
        seen = first
        // What goes fast is blurred, and flow is the worse for it.
        let speed = (predictedBox.center - box.center).length / (box.side * max(seconds, 1e-3))
        let cutoffBoost = Constant.cutoffBoostPerSpeed * max(0, speed - Constant.cutoffBoostSpeed)
        let share = OneEuroFilter.share(cutoff: Constant.correctionCutoff + cutoffBoost, seconds: seconds)
        let mean = first.mappedWithIndex { index, point in (point + second[index]) / 2 }
        observed = mean
        let disagreement = Landmarks.Storage { (mean[$0] - predicted[$0]) / predictedBox.side }
        let (trust, isConfirmed) = judge(disagreement, trustsFlow: isFlowGood && speed < Constant.slow)
        landmarks = predicted.mappedWithIndex { index, point in
            let length = disagreement[index].length
            // Only what is seen twice is believed at once.
            let urgent = isConfirmed ? 1 - Constant.largestDisagreement / max(length, 1e-6) : 0
            return point + max(share * trust, urgent) * predictedBox.side * disagreement[index]
        }
        lastDisagreement = disagreement
        hasJumped = meanLength(disagreement) > 0.2
        box = OrientedBox(around: landmarks)
        patch.extract(picture, from: box.scaled(by: Constant.patch))
    }

    /// How much the cascade is to be believed in this frame. Now and then it sees the whole face differently for a
    /// single frame; then it disagrees with the prediction more than it usually does, and not in the same way as in the
    /// frame before.
    private func judge(
        _ disagreement: Landmarks.Storage, trustsFlow: Bool
    ) -> (trust: Float, isConfirmed: Bool) {
        let size = meanLength(disagreement)
        let ratio = size / max(usualDisagreement, 1e-4)
        usualDisagreement += Constant.learningShare * (min(size, 3 * usualDisagreement) - usualDisagreement)
        var (dot, square, lastSquare) = (Float(0), Float(0), Float(0))
        for index in disagreement.indices {
            dot += (disagreement[index] * lastDisagreement[index]).sum()
            square += (disagreement[index] * disagreement[index]).sum()
            lastSquare += (lastDisagreement[index] * lastDisagreement[index]).sum()
        }
        let isConfirmed = dot > 0.5 * (square * lastSquare).squareRoot()
        // When the face moves fast, or the flow left much unexplained, it may as well be the flow that is wrong.
        guard trustsFlow else { return (1, true) }
        guard !isConfirmed, ratio > Constant.unusual else { return (1, isConfirmed) }
        return (Constant.unusual * Constant.unusual / (ratio * ratio), false)
    }

    private func meanLength(_ offsets: Landmarks.Storage) -> Float {
        var sum: Float = 0
        for index in offsets.indices { sum += offsets[index].length }
        return sum / Float(Landmarks.count)
    }

    /// Looks whether this is still a face.
    func probe(_ picture: borrowing PixelBuffer) throws(VisionError) {
        let sign: Float = probeCount % 2 == 0 ? 1 : -1
        let start = OrientedBox(around: seen)
        let answer = try cascade.landmarks(
            in: picture,
            box: start.shifted(by: sign * Constant.probeShift).scaled(by: 1 + sign * Constant.probeScale))
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

    /// The grey values of the face, for telling it from others: see `FaceDescriptor`.
    var descriptor: FaceDescriptor { FaceDescriptor(patch) }

    // MARK: Flow

    /// Where the landmarks should be in a frame, by flow from the last one.
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

    /// Flow that leaves far more difference than usual has not found the way: a jump, a cut, something in front.
    private func judgeFlow(_ residual: PerLandmark<Float>) {
        var (sum, count) = (Float(0), Float(0))
        for index in Landmarks.topology.inner where residual[index] >= 0 {
            sum += residual[index]
            count += 1
        }
        let mean = sum / max(count, 1)
        isFlowGood = count >= 20 && mean < Constant.badFlow * usualResidual + 1
        usualResidual += Constant.learningShare * (min(mean, 2 * usualResidual) - usualResidual)
    }

    /// The motion of the face as a whole: a similarity that landmarks with another mind hardly influence (iterated
    /// reweighting with the squares of Cauchy's weights).
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
