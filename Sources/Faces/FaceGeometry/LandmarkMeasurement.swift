/// The landmarks of a face in one frame as they were measured.
package struct LandmarkMeasurement: Equatable, Sendable {
    /// Carried by the motion of the skin and slowly corrected towards the model: what masks are drawn on live.
    package var fused: Landmarks
    /// The landmark model alone: noisy, but never late. Where something moves in front of the face, it is trusted less, and
    /// mixed with `fused`.
    package var observed: Landmarks
    /// Where the head points are beyond what the landmarks say; nil when the model does not measure them.
    package var headPoints: HeadPointOffsets?
    /// How the skin moved since the frame before; nil in the first frame of a track.
    package var step: SkinStep?

    package init(fused: Landmarks, observed: Landmarks, headPoints: HeadPointOffsets? = nil, step: SkinStep? = nil) {
        self.step = step
        self.fused = fused
        self.observed = observed
        self.headPoints = headPoints
    }

    /// The measurement between this one (`fraction` 0) and another (1).
    package func interpolated(to other: LandmarkMeasurement, fraction: Float) -> LandmarkMeasurement {
        func between(_ a: Point, _ b: Point) -> Point { a + fraction * (b - a) }
        var result = self
        result.fused = fused.mappedWithIndex { between($1, other.fused[$0]) }
        result.observed = observed.mappedWithIndex { between($1, other.observed[$0]) }
        if let a = headPoints, let b = other.headPoints {
            result.headPoints = a.interpolated(to: b, fraction: fraction)
        }
        return result
    }
}
