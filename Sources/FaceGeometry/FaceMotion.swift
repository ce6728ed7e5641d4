/// Landmarks split into the motion of the head (a similarity: position, scale and roll) and the expression (offsets in a
/// frame that moves with the head). The two need different smoothing: heads move smoothly, lips and lids fast.
package struct FaceMotion: Sendable {
    /// The centre of the face, in pixels.
    package var center: Point
    /// Scale and roll as a complex number: its absolute value is pixels for each unit of the mean face, its argument the
    /// roll.
    package var linear: Point
    /// The offset of each landmark from the mean face in the face's own frame, in units of the mean face.
    package var expression: PerLandmark<Point>

    private let mean: MeanFace

    package init(_ landmarks: Landmarks, mean: MeanFace) {
        self.mean = mean
        let fit = SimilarityTransform(fitting: mean.landmarks, to: landmarks, weights: mean.rigidWeights)
        linear = fit.linear
        center = fit(.zero)
        let inverse = fit.inverse
        expression = PerLandmark { inverse(landmarks[$0]) - mean.landmarks[$0] }
    }

    /// The landmarks, in pixels. Nil when a coordinate is not finite.
    package var landmarks: Landmarks? {
        let transform = SimilarityTransform(linear: linear, translation: center)
        let (mean, expression) = (mean.landmarks, expression)
        return Landmarks(PerLandmark { transform(mean[$0] + expression[$0]) })
    }

    /// Width of the face from ear to ear, in pixels: the unit of speeds.
    package var width: Float { mean.width * linear.length }
}

/// The landmarks of the reference face relative to their own centre.
package struct MeanFace: Sendable {
    package let landmarks: Landmarks
    /// From ear to ear.
    package let width: Float
    /// `LandmarkTopology.rigidWeights`, inline.
    package let rigidWeights: PerLandmark<Float>

    package init(_ reference: ReferenceFace) {
        let center = reference.landmarks.center
        landmarks = reference.landmarks.mapped { $0 - center }
        width = landmarks.width
        rigidWeights = PerLandmark { Landmarks.topology.rigidWeights[$0] }
    }
}
