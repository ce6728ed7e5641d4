/// Landmarks taken apart: where the head is, how large and how turned in the picture, and what the face does, in a
/// frame that moves with it. Both want different smoothing: a head glides, a lip snaps.
package struct FaceMotion: Sendable {
    /// The centre of the face, in pixels.
    package var center: Point
    /// What takes the mean face's unit of length to the picture, as a complex number: its length is the scale, its
    /// angle the roll.
    package var linear: Point
    /// What is left of each landmark in the face's own frame; in units of the mean face.
    package var expression: InlineArray<68, Point>

    private let mean: MeanFace

    package init(_ landmarks: Landmarks, mean: MeanFace) {
        self.mean = mean
        let fit = SimilarityTransform(fitting: mean.landmarks, to: landmarks, weights: MeanFace.rigidWeights)
        linear = fit.linear
        center = fit(.zero)
        let inverse = fit.inverse
        expression = InlineArray { inverse(landmarks[$0]) - mean.landmarks[$0] }
    }

    /// Back again. Nil when a number is not finite.
    package var landmarks: Landmarks? {
        let transform = SimilarityTransform(linear: linear, translation: center)
        let (mean, expression) = (mean.landmarks, expression)
        return Landmarks(InlineArray { transform(mean[$0] + expression[$0]) })
    }

    /// Pixels that are as wide as the face from ear to ear; the unit for speeds.
    package var width: Float { mean.width * linear.length }
}

/// The reference face's landmarks about their own centre.
package struct MeanFace: Sendable {
    package let landmarks: Landmarks
    package let width: Float

    package init(_ reference: ReferenceFace) {
        let center = reference.landmarks.center(of: 0..<Landmarks.count)
        landmarks = reference.landmarks.mapped { $0 - center }
        width = (landmarks[16] - landmarks[0]).length
    }

    /// The ends of the jaw line, the nose and the eyes: what moves with the skull.
    package static let rigidWeights = InlineArray<68, Float> { index in
        switch index {
        case 0...2, 14...16, Landmarks.noseBridge, Landmarks.nostrils, Landmarks.rightEye, Landmarks.leftEye: 1
        default: 0
        }
    }
}
