/// The landmarks of a face in one frame as they were measured.
package struct LandmarkMeasurement: Equatable, Sendable {
    /// Carried by the motion of the skin and slowly corrected towards the model: what masks are drawn on live.
    package var fused: Landmarks
    /// The landmark model alone: noisy, but never late.
    package var observed: Landmarks
    /// The head points that the model measured together with `observed`; nil when it does not measure them.
    package var headPoints: HeadPoints?
    /// How the skin moved since the frame before; nil in the first frame of a track.
    package var step: SkinStep?

    package init(fused: Landmarks, observed: Landmarks, headPoints: HeadPoints? = nil, step: SkinStep? = nil) {
        self.step = step
        self.fused = fused
        self.observed = observed
        self.headPoints = headPoints
    }

    /// The measured head points, moved as the head moves from `observed` to smoothed landmarks.
    package func headPoints(for smoothed: Landmarks, mean: MeanFace) -> HeadPoints? {
        guard let headPoints else { return nil }
        let motion = SimilarityTransform(fitting: observed, to: smoothed, weights: mean.rigidWeights)
        return HeadPoints { motion(headPoints[$0]) }
    }
}
