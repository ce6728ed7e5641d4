import FaceGeometry

/// Corrects landmarks that flow has carried towards those of the landmark model: a low-pass filter of their difference.
///
/// The difference is taken on the skin, which does not move there: filtering it makes no lag. It is corrected slowly while
/// it is as small as the noise of the model, and fast where it persists.
package struct LandmarkCorrection {
    /// Lengths in sides of the face's box, cutoffs of low-pass filters in hertz.
    private enum Constant {
        /// The cutoff while a difference is small: of the pose, of brows, lids and lips, of the jaw line (which flow does
        /// not follow), and of the rest.
        static let poseCutoff: Float = 0.5
        static let featureCutoff: Float = 0.4
        static let jawCutoff: Float = 0.6
        static let shapeCutoff: Float = 0.3
        /// Small is up to this length; above it, the cutoff grows by `boost` for each multiple.
        static let smallPose: Float = 0.015
        static let smallFeature: Float = 0.005
        static let smallLip: Float = 0.008
        static let smallJaw: Float = 0.006
        static let smallShape: Float = 0.025
        static let boost: Float = 5
        /// A difference persists if it passes this low-pass filter.
        static let persistence: Float = 2
        /// The cutoff while flow is unreliable.
        static let unreliable: Float = 3
        /// Fast faces are blurred, which makes flow worse: above this speed, in sides per second, the cutoff grows by
        /// `speedBoost` for each side per second.
        static let fast: Float = 0.6
        static let speedBoost: Float = 5
    }

    /// How much slower than usual (1) corrections are. 0: the landmarks of the model as they are.
    package var strength: Float = 1
    /// The differences under a low-pass filter, in sides of the box.
    private var persisting = Landmarks.Storage(repeating: .zero)
    private var persistingPose = Point.zero
    private var count = 0

    package init() {}

    /// - Parameters:
    ///   - side: of the face's box, in pixels.
    ///   - seconds: since the frame before.
    ///   - speed: of the face, in sides per second.
    ///   - isReliable: whether flow can be relied on.
    ///   - noise: of the pictures: 1 for a good camera. The errors of flow in the pose grow with it.
    ///   - trust: in the model, 0…1.
    package mutating func correct(
        _ predicted: Landmarks, towards observed: Landmarks, side: Float, seconds: Float, speed: Float = 0,
        isReliable: Bool, noise: Float = 1, trust: Float = 1, mean: MeanFace
    ) -> Landmarks {
        count += 1
        let pose = SimilarityTransform(fitting: predicted, to: observed, weights: mean.rigidWeights)
        // The mean of the first frames is better than the first.
        let least = 1 / Float(count + 1)
        let speedBoost = Constant.speedBoost * max(0, speed - Constant.fast)
        func weight(_ cutoff: Float, persisting: Float, small: Float) -> Float {
            let excess = max(0, persisting / small - 1)
            let cutoff = max(isReliable ? 0 : Constant.unreliable, cutoff + Constant.boost * excess) + speedBoost
            return max(least, trust * OneEuroFilter.weight(cutoff: cutoff / max(strength, 1e-6), seconds: seconds))
        }
        let memory = OneEuroFilter.weight(cutoff: Constant.persistence, seconds: seconds)
        let center = predicted.center
        persistingPose += memory * ((pose(center) - center) / side - persistingPose)
        let poseWeight = weight(
            Constant.poseCutoff * noise, persisting: persistingPose.length, small: Constant.smallPose)
        for index in persisting.indices {
            persisting[index] += memory * ((observed[index] - pose(predicted[index])) / side - persisting[index])
        }
        let persisting = persisting
        return predicted.mappedWithIndex { index, point in
            let posed = pose(point)
            let shapeWeight = weight(
                Self.cutoff(of: index), persisting: persisting[index].length, small: Self.smallLength(at: index))
            return point + poseWeight * (posed - point) + shapeWeight * (observed[index] - posed)
        }
    }

    private static func cutoff(of index: Int) -> Float {
        let topology = Landmarks.topology
        if topology.features.contains(index) { return Constant.featureCutoff }
        return topology.isOnJaw(index) ? Constant.jawCutoff : Constant.shapeCutoff
    }

    private static func smallLength(at index: Int) -> Float {
        let topology = Landmarks.topology
        if topology.lips.contains(index) { return Constant.smallLip }
        if topology.features.contains(index) { return Constant.smallFeature }
        return topology.isOnJaw(index) ? Constant.smallJaw : Constant.smallShape
    }
}
