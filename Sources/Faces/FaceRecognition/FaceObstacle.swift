import FaceGeometry

/// Why a face is not seen well enough to say whose it is.
package enum FaceObstacle: Equatable, Sendable {
    case small
    case turned
    case blurred

    /// Completes a sentence that begins with the face.
    package var reason: String {
        switch self {
        case .small: "is too small"
        case .turned: "is turned too far away"
        case .blurred: "is blurred"
        }
    }
}

/// How well a face must be seen.
package struct FaceRequirements: Sendable {
    /// The least distance between the outer corners of the eyes, in pixels.
    package var interocularDistance: Float
    /// To either side, in radians.
    package var yaw: Float
    /// Up or down, in radians.
    package var pitch: Float
    /// See `FaceChip.sharpness`.
    package var sharpness: Float

    /// To say whose face it is.
    package static let recognition = FaceRequirements(
        interocularDistance: 18, yaw: 0.7, pitch: 0.6, sharpness: 0.03)
    /// To enrol somebody: what others are compared with should be good.
    package static let enrolment = FaceRequirements(
        interocularDistance: 30, yaw: 0.5, pitch: 0.45, sharpness: 0.05)

    /// The problem of a face before it is cut out; nil: none.
    package func obstacle(_ face: Face) -> FaceObstacle? {
        // Across the picture the eyes of a turned face are nearer to each other.
        let distance = face.landmarks.interocularDistance / max(0.5, (1 - face.pose.yaw * face.pose.yaw / 2))
        if !(distance >= interocularDistance) { return .small }
        if !(abs(face.pose.yaw) <= yaw && abs(face.pose.pitch) <= pitch) { return .turned }
        return nil
    }

    /// The problem of a face that has been cut out; nil: none.
    package func obstacle(_ chip: FaceChip) -> FaceObstacle? { chip.sharpness >= sharpness ? nil : .blurred }
}
