import Glibc

/// How far a person's head points lie from those that landmarks and camera give, which are those of a mean head: a higher
/// hairline, wider temples.
///
/// A landmark model that measures head points sees them tremble, and rise with the brows: it knows the forehead by the
/// skin above the brows. The hairline stays where it is when brows are raised, as the derived head points do. So what is
/// measured is learnt slowly, as an offset of the head, and does not move masks by itself. The offset depends on the pose,
/// which the mean head has not quite right, so it is learnt faster while the head turns.
package struct HeadPointOffsets: Equatable, Sendable {
    /// The time constant of learning, in seconds: longer than brows stay raised.
    private static let seconds: Float = 4
    /// A turn by this angle, in radians, forgets most of what was learnt before it.
    private static let turn: Float = 0.25

    /// In the frame of the mean face.
    private var offsets: HeadPoints
    private var pose: Pose
    private var count: Float = 1

    /// - Parameters:
    ///   - measured: the head points that the model measures, in pixels.
    ///   - face: with head points that were derived from the landmarks.
    package init(_ measured: HeadPoints, on face: Face, mean: MeanFace) {
        offsets = Self.offsets(measured, face, mean)
        pose = face.pose
    }

    /// Learns from the next frame.
    /// - Parameters:
    ///   - measured: as above.
    ///   - seconds: since the frame before.
    package mutating func learn(_ measured: HeadPoints, on face: Face, mean: MeanFace, seconds: Float) {
        let new = Self.offsets(measured, face, mean)
        let angles = Point(face.pose.yaw - pose.yaw, face.pose.pitch - pose.pitch)
        pose = face.pose
        count += 1
        // The mean of the first frames is better than the first.
        let weight = min(1, max(1 / count, 1 - exp(-seconds / Self.seconds)) + angles.length / Self.turn)
        let old = offsets
        offsets = HeadPoints { old[$0] + weight * (new[$0] - old[$0]) }
    }

    func interpolated(to other: HeadPointOffsets, fraction: Float) -> HeadPointOffsets {
        var result = self
        result.offsets = HeadPoints { offsets[$0] + fraction * (other.offsets[$0] - offsets[$0]) }
        return result
    }

    private static func offsets(_ measured: HeadPoints, _ face: Face, _ mean: MeanFace) -> HeadPoints {
        let back = placement(face, mean).inverse
        return HeadPoints { back.turned(measured[$0] - face.headPoints[$0]) }
    }

    private static func placement(_ face: Face, _ mean: MeanFace) -> SimilarityTransform {
        SimilarityTransform(fitting: mean.landmarks, to: face.landmarks, weights: mean.rigidWeights)
    }

    fileprivate func headPoints(of face: Face, _ mean: MeanFace) -> HeadPoints {
        let placement = Self.placement(face, mean)
        return HeadPoints { face.headPoints[$0] + placement.turned(offsets[$0]) }
    }
}

extension Face {
    /// Moves head points that were derived from the landmarks to this person's.
    /// - Parameter offsets: nil: they stay.
    package mutating func take(_ offsets: HeadPointOffsets?, mean: MeanFace) {
        if let offsets { headPoints = offsets.headPoints(of: self, mean) }
    }
}
