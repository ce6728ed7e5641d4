import FaceGeometry
import Pixels

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
        /// How the box is displaced to measure the model's uncertainty.
        static let probeShift = Point(0.06, 0.04)
        static let probeScale: Float = 0.06
    }

    /// The landmarks in the last frame: carried by flow and corrected towards the model.
    private(set) var landmarks: Landmarks
    /// The landmarks of the model alone in the last frame.
    private(set) var observed: Landmarks
    private(set) var box: OrientedBox
    /// How far apart the model's answers lie when it starts from displaced boxes: the mean distance of the middle half of
    /// the landmarks (interquartile mean), in sides of the box, summed over the last two probes. On a face the model
    /// returns to the same landmarks, elsewhere it does not (docs/decisions/0009). A model that reports its uncertainty
    /// is not probed.
    private(set) var uncertainty: Float = 0
    /// Whether flow followed the skin in the last frame: nothing came in front of it or in its place.
    private(set) var isFlowGood = true
    /// The running mean of the residual of flow, in grey values.
    private var usualResidual: Float = 3
    /// Whether the model's answer in the last frame was so far from the prediction that it may belong to another face.
    private(set) var hasJumped = false

    private let model: any LandmarkModel
    private let mean: MeanFace
    private let mesh: LandmarkMesh
    private var correction = LandmarkCorrection()
    private var step: SkinStep?
    /// Of the middle of the face, in pixels a second.
    private var velocity = Point.zero
    /// What the model reports beside the landmarks.
    private var measuredHeadPoints: HeadPoints?
    private var reportedUncertainty: Float?
    private var memory = LandmarkMemory()
    private var patch = FlowPatch()
    private var nextPatch = FlowPatch()
    private var probes = InlineArray<2, Float>(repeating: 0)
    private var probeCount = 0

    /// - Parameter start: a box in the convention of dlib's detector.
    init(
        _ picture: borrowing PixelBuffer, box start: OrientedBox, model: any LandmarkModel, mean: MeanFace,
        mesh: LandmarkMesh
    ) throws(VisionError) {
        self.model = model
        self.mean = mean
        self.mesh = mesh
        // The second evaluation starts from the first one's landmarks, so that the box fits a rotated head.
        let first = try model.estimate(in: picture, box: start)
        let second = try model.estimate(in: picture, box: model.box(around: first.landmarks))
        let seen = second.landmarks
        measuredHeadPoints = second.headPoints
        reportedUncertainty = second.uncertainty
        landmarks = seen
        observed = seen
        box = model.box(around: seen)
        patch.extract(picture, from: Self.patchBox(around: seen))
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

    /// See `FaceTracker.smoothingStrength`.
    var smoothingStrength: Float {
        get { correction.strength }
        set { correction.strength = newValue }
    }

    var measurement: LandmarkMeasurement {
        LandmarkMeasurement(fused: landmarks, observed: observed, headPoints: measuredHeadPoints, step: step)
    }

    var modelReportsUncertainty: Bool { reportedUncertainty != nil }

    /// Takes the next frame.
    /// - Parameters:
    ///   - seconds: since the frame before.
    ///   - trustsModel: whether what flow predicts is corrected towards the model.
    ///   - mayRest: whether the model may leave out parts of itself if the frame is an easy one.
    ///   - isAmongMany: whether there are so many faces that fewer points of each are followed.
    func follow(
        _ picture: borrowing PixelBuffer, seconds: Float, trustsModel: Bool = true, mayRest: Bool = false,
        isAmongMany: Bool = false
    ) throws(VisionError) {
        nextPatch.extract(picture, likeThat: patch)
        let noise = max(1, usualResidual / Constant.quiet)
        let motion = try measureMotion(in: picture, seconds: seconds, noise: noise, isAmongMany: isAmongMany)
        isFlowGood = judge(motion)
        let predictedBox = model.box(around: motion.landmarks)
        let speed = (predictedBox.center - box.center).length / (box.side * max(seconds, 1e-3))
        try observe(
            picture, box: predictedBox,
            expected: mayRest && isFlowGood && speed < Constant.fast ? motion.landmarks : nil, noise: noise)
        let (before, predicted) = (landmarks, motion.landmarks)
        velocity = (motion.whole(before.center) - before.center) / max(seconds, 1e-3)
        step = SkinStep(whole: motion.whole, own: PerLandmark { predicted[$0] - motion.whole(before[$0]) })
        let disagreement = Landmarks.Storage { (observed[$0] - predicted[$0]) / predictedBox.side }
        hasJumped = meanLength(disagreement) > 0.2
        landmarks =
            trustsModel
            ? correction.correct(
                predicted, towards: observed, side: predictedBox.side, seconds: seconds, speed: speed,
                isReliable: isFlowGood, noise: noise, mean: mean)
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

    /// Evaluates the model.
    /// - Parameter expected: see `LandmarkModel.estimate`.
    private func observe(
        _ picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, noise: Float
    ) throws(VisionError) {
        let estimate = try model.estimate(in: picture, box: box, expected: expected, memory: &memory)
        let last = observed
        observed = estimate.landmarks
        // In noisy pictures the mean of two answers of a cascade is better than one.
        if noise > 1, estimate.uncertainty == nil {
            let other = Self.displaced(box, by: 1 / 3)
            let second = try model.estimate(in: picture, box: other, expected: expected, memory: &memory).landmarks
            observed = observed.mappedWithIndex { ($1 + second[$0]) / 2 }
        }
        if estimate.isWhole {
            reportedUncertainty = estimate.uncertainty
            measuredHeadPoints = estimate.headPoints
        } else if let points = measuredHeadPoints {
            let moved = SimilarityTransform(fitting: last, to: observed, weights: mean.rigidWeights)
            measuredHeadPoints = HeadPoints { moved(points[$0]) }
        }
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
        let seen = observed
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

    /// The grey values of the face, to tell it from other faces.
    var descriptor: FaceDescriptor { FaceDescriptor(patch) }

    // MARK: Flow

    /// How the skin moved since the last frame. Flow reaches only so far; where it does not reach, it starts again from
    /// where the face would be if it moved on as before, and from where the landmark model finds it.
    private func measureMotion(
        in picture: borrowing PixelBuffer, seconds: Float, noise: Float, isAmongMany: Bool
    ) throws(VisionError) -> SkinMotion {
        let onward = SimilarityTransform(linear: Point(1, 0), translation: seconds * velocity)
        func measured(from start: SimilarityTransform) -> SkinMotion {
            SkinMotion(
                of: landmarks, from: patch, to: nextPatch, start: start, expected: onward, mesh: mesh, side: box.side,
                noise: noise, smallestCell: isAmongMany ? Constant.smallestCell : 1)
        }
        var motion = measured(from: .identity)
        if isReliable(motion) { return motion }
        let moved = OrientedBox(center: onward(box.center), side: box.side, roll: box.roll)
        let found = try model.estimate(in: picture, box: moved).landmarks
        let jump = SimilarityTransform(fitting: landmarks, to: found, weights: mean.rigidWeights)
        for start in [onward, jump] {
            let other = measured(from: start)
            if quality(other) > quality(motion) { motion = other }
        }
        return motion
    }

    /// Whether flow can be relied on. It fails in a jump, a cut, and where something is in front of the face.
    private func isReliable(_ motion: SkinMotion) -> Bool {
        motion.agreement >= Constant.leastAgreement && motion.residual < Constant.badFlow * usualResidual + 1
    }

    private func quality(_ motion: SkinMotion) -> Float { motion.agreement / (usualResidual + motion.residual) }

    private func judge(_ motion: SkinMotion) -> Bool {
        let isReliable = isReliable(motion)
        // A frame that is shown again, or in which nothing can be followed, says nothing of the noise.
        if motion.agreement > 0, motion.residual > Constant.leastResidual {
            usualResidual += Constant.learningRate * (min(motion.residual, 2 * usualResidual) - usualResidual)
        }
        return isReliable
    }
}
