import FaceGeometry
import Glibc
import LandmarkModels
import Pixels
import Vision

/// Follows one face from frame to frame.
///
/// Optical flow measures how the skin moves from the last frame to this one (`SkinMotion`), and carries the landmarks
/// with it: it is accurate from one frame to the next, but its errors add up. The landmark model measures where each
/// landmark is: it does not drift, but jitters. So the landmarks are slowly corrected towards the model
/// (`LandmarkCorrection`). Nothing else smooths them: a filter of positions would lag behind the head or cut the corners
/// of its motion, and the mask would float on the skin.
final class FaceFollower {
    /// Lengths are in sides of the face's box.
    private enum Constant {
        /// Flow is unreliable above this multiple of its usual residual,
        static let badFlow: Float = 1.8
        /// which is learnt in about twenty frames,
        static let learningRate: Float = 0.05
        /// and which in the pictures of a good camera is at most this, in grey values;
        static let quiet: Float = 1.5
        /// The residual of a picture that is not merely the last one again is above this.
        static let leastResidual: Float = 0.05
        /// and where fewer points than this fraction move with the whole face.
        static let leastAgreement: Float = 0.3
        /// The side of the patch in which flow is computed.
        static let patch: Float = 1.4
        /// The smallest cells of the patch in each of which a point is followed where there are many faces: their side in
        /// pixels of the patch. Otherwise they are as small as it is worth.
        static let smallestCell = 3
        /// Faster faces, in sides per second, need the whole model in every frame.
        static let fast: Float = 0.6
        /// Slower faces show what is in front of them. How long a speed is remembered, in seconds.
        static let calm: Float = 1.2
        static let speedMemory: Float = 0.3
        /// Where a larger share of its points is foreign, it may be another face.
        static let mostForeign: Float = 0.9
        /// How much of the velocity is not expected to last where something is in front of the face.
        static let damping: Float = 0.3
        /// Only slower ones may learn in the next frame what the whole model has found in this one.
        static let slow: Float = 0.2
    }

    /// The landmarks in the last frame: carried by flow and corrected towards the model.
    private(set) var landmarks: Landmarks
    private(set) var box: OrientedBox
    /// How far apart the model's answers lie when it starts from displaced boxes: the mean distance of the middle half of
    /// the landmarks (interquartile mean), in sides of the box, summed over the last two probes. On a face the model
    /// returns to the same landmarks, elsewhere it does not (docs/decisions/0009). A model that reports its uncertainty
    /// is not probed.
    var uncertainty: Float { observer.uncertainty }
    /// Whether flow followed the skin in the last frame: nothing came in its place. A hand may be in front of a part.
    private(set) var isFlowGood = true
    /// The running mean of the residual of flow, in grey values.
    private var usualResidual: Float = 3
    /// Whether the model's answer in the last frame was so far from the prediction that it may belong to another face.
    private(set) var hasJumped = false

    private let model: any LandmarkModel
    private let observer: LandmarkObserver
    private let mean: MeanFace
    private let mesh: LandmarkMesh
    private var correction = LandmarkCorrection()
    private var trust = ModelTrust()
    private var foreign = ForeignPlaces()
    /// The highest speed in a short time, in sides a second.
    private var recentSpeed: Float = 0
    private var step: SkinStep?
    /// Of the middle of the face, in pixels a second.
    private var velocity = Point.zero
    private var patch = FlowPatch()
    private var nextPatch = FlowPatch()
    /// - Parameter start: a box in the convention of dlib's detector.
    init(
        _ picture: borrowing PixelBuffer, box start: OrientedBox, model: any LandmarkModel, mean: MeanFace,
        mesh: LandmarkMesh
    ) throws(VisionError) {
        self.model = model
        self.mean = mean
        self.mesh = mesh
        observer = try LandmarkObserver(picture, box: start, model: model, mean: mean)
        let seen = observer.landmarks
        landmarks = seen
        box = model.box(around: seen)
        patch.extract(picture, from: Self.patchBox(around: seen))
        try probe(picture)
        try probe(picture)
    }

    /// The evaluation that any thread may do until the next frame.
    var awaitedEvaluation: PreparedEvaluation? { observer.awaitedEvaluation }
    /// Whether the last frame took what was awaited before.
    var hasCompleted: Bool { observer.hasCompleted }

    var expression: Expression {
        func uprightness(_ eye: LandmarkTopology.Contour) -> Float {
            let width = (landmarks[eye.right] - landmarks[eye.left]).length
            // Lids that close must not take the place with them.
            let center = (landmarks[eye.right] + landmarks[eye.left]) / 2
            return patch.uprightness(around: center, size: Point(0.8, 0.5) * width)
        }
        var expression = Expression(
            landmarks, rightEyeUprightness: uprightness(Landmarks.topology.rightEye),
            leftEyeUprightness: uprightness(Landmarks.topology.leftEye))
        expression.hasExactLids = observer.hasExactLids
        return expression
    }

    /// See `FaceTracker.smoothingStrength`.
    var smoothingStrength: Float {
        get { correction.strength }
        set { correction.strength = newValue }
    }

    var measurement: LandmarkMeasurement {
        let observed = observer.landmarks
        let trusted = observed.mappedWithIndex { $1 + (1 - modelTrust) * (landmarks[$0] - $1) }
        return LandmarkMeasurement(fused: landmarks, observed: trusted, step: step)
    }

    /// The head points that the model measures, moved as the head moves from its landmarks to those of the track, in
    /// pixels; nil when it does not measure them.
    var measuredHeadPoints: HeadPoints? {
        guard let points = observer.headPoints else { return nil }
        let motion = SimilarityTransform(fitting: observer.landmarks, to: landmarks, weights: mean.rigidWeights)
        return HeadPoints { motion(points[$0]) }
    }

    /// Without smoothing, nothing but the model counts.
    private var modelTrust: Float { smoothingStrength > 0 ? trust.value : 1 }

    /// Whether something moves in front of the face, so that the model's doubt says little.
    var isDisturbed: Bool { trust.value < 0.5 }

    var modelReportsUncertainty: Bool { observer.reportsUncertainty }

    /// Takes the next frame.
    /// - Parameters:
    ///   - seconds: since the frame before.
    ///   - trustsModel: whether what flow predicts is corrected towards the model.
    ///   - mayRest: whether the model may leave out parts of itself if the frame is an easy one.
    ///   - hasTurn: whether these parts are then awaited: they are evaluated until the next frame, which learns from them.
    ///     The face must be slow for that.
    ///   - helper: another thread that evaluates the model in a difficult frame; nil: none.
    ///   - isAmongMany: whether there are so many faces that fewer points of each are followed.
    func follow(
        _ picture: borrowing PixelBuffer, seconds: Float, trustsModel: Bool = true, mayRest: Bool = false,
        hasTurn: Bool = false, helper: EvaluationThread? = nil, isAmongMany: Bool = false
    ) throws(VisionError) {
        try observer.takeAwaited()
        nextPatch.extract(picture, likeThat: patch)
        let noise = max(1, usualResidual / Constant.quiet)
        let motion = try measureMotion(
            in: picture, seconds: seconds, noise: noise, helper: helper, isAmongMany: isAmongMany)
        learnNoise(motion)
        let isFollowed = isReliable(motion.own)
        // What is in front of a part of the face does not break the flow of the rest.
        isFlowGood = isFollowed && (motion.disturbance < Constant.mostForeign || isReliable(motion.everything))
        let predictedBox = model.box(around: motion.landmarks)
        let speed = (predictedBox.center - box.center).length / (box.side * max(seconds, 1e-3))
        recentSpeed = max(speed, recentSpeed * exp(-seconds / Constant.speedMemory))
        // Points of a fast head move in many ways, and after a jump all of them do.
        let showsForeign = recentSpeed < Constant.calm && motion.disturbance < Constant.mostForeign
        foreign = showsForeign ? motion.foreign : foreign.learning(ForeignPlaces.Observation(), seconds: seconds)
        let mayRest = mayRest && isFlowGood && speed < (hasTurn ? Constant.slow : Constant.fast)
        try observer.observe(
            picture, box: predictedBox, expected: mayRest ? motion.landmarks : nil, hasTurn: hasTurn, noise: noise)
        let (before, predicted, observed) = (landmarks, motion.landmarks, observer.landmarks)
        // Behind a hand, an error would go on.
        let kept = 1 - Constant.damping * foreign.caution
        velocity = kept * (motion.whole(before.center) - before.center) / max(seconds, 1e-3)
        step = SkinStep(whole: motion.whole, own: PerLandmark { predicted[$0] - motion.whole(before[$0]) })
        let disagreement = Landmarks.Storage { (observed[$0] - predicted[$0]) / predictedBox.side }
        hasJumped = meanLength(disagreement) > 0.2
        trust.follow(disturbance: showsForeign ? motion.disturbance : 0, isReliable: isFollowed, seconds: seconds)
        landmarks =
            trustsModel
            ? correction.correct(
                predicted, towards: observed, side: predictedBox.side, seconds: seconds, speed: speed,
                isReliable: isFollowed, noise: noise, trust: modelTrust, mean: mean)
            : predicted
        box = model.box(around: landmarks)
        let place = Self.patchBox(around: landmarks)
        // A head that hardly moves is still in the middle of the patch that has been extracted from this picture.
        if nextPatch.isNear(place) { swap(&patch, &nextPatch) } else { patch.extract(picture, from: place) }
    }

    /// Patches are upright unless the head tilts far: reading the picture along its rows is several times as fast.
    private static func patchBox(around landmarks: Landmarks) -> OrientedBox {
        OrientedBox(around: landmarks).scaled(by: Constant.patch)
    }

    private func meanLength(_ offsets: Landmarks.Storage) -> Float {
        var sum: Float = 0
        for index in offsets.indices { sum += offsets[index].length }
        return sum / Float(Landmarks.count)
    }

    /// Measures the uncertainty again: whether this is still a face.
    func probe(_ picture: borrowing PixelBuffer) throws(VisionError) { try observer.probe(picture) }

    /// The grey values of the face, to tell it from other faces.
    var descriptor: FaceDescriptor { FaceDescriptor(patch) }

    // MARK: Flow

    /// How the skin moved since the last frame. Flow reaches only so far; where it does not reach, it starts again from
    /// where the face would be if it moved on as before, and from where the landmark model finds it.
    private func measureMotion(
        in picture: borrowing PixelBuffer, seconds: Float, noise: Float, helper: EvaluationThread?, isAmongMany: Bool
    ) throws(VisionError) -> SkinMotion {
        let onward = SimilarityTransform(linear: Point(1, 0), translation: seconds * velocity)
        func measured(from start: SimilarityTransform) -> SkinMotion {
            SkinMotion(
                of: landmarks, from: patch, to: nextPatch, start: start, expected: onward, foreign: foreign, mesh: mesh,
                box: box, seconds: seconds, noise: noise,
                smallestCell: isAmongMany ? Constant.smallestCell : 1)
        }
        var motion = measured(from: .identity)
        if isReliable(motion.own) { return motion }
        func tryStart(_ start: SimilarityTransform) {
            let other = measured(from: start)
            if quality(other.own) > quality(motion.own) { motion = other }
        }
        let moved = OrientedBox(center: onward(box.center), side: box.side, roll: box.roll)
        let found = try observer.search(picture, box: moved, helper: helper) { tryStart(onward) }
        let jump = SimilarityTransform(fitting: landmarks, to: found, weights: mean.rigidWeights)
        tryStart(jump)
        return motion
    }

    /// Whether flow can be relied on. It fails in a jump and a cut; that of everything, also where something comes in
    /// front of the face.
    private func isReliable(_ following: SkinMotion.Following) -> Bool {
        following.agreement >= Constant.leastAgreement && following.residual < Constant.badFlow * usualResidual + 1
    }

    private func quality(_ following: SkinMotion.Following) -> Float {
        following.agreement / (usualResidual + following.residual)
    }

    private func learnNoise(_ motion: SkinMotion) {
        let following = motion.everything
        // A frame that is shown again, or in which nothing can be followed, says nothing of the noise.
        guard following.agreement > 0, following.residual > Constant.leastResidual else { return }
        usualResidual += Constant.learningRate * (min(following.residual, 2 * usualResidual) - usualResidual)
    }
}
