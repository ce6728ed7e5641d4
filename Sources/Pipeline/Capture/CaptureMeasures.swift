import FaceGeometry

/// Measurements in one frame, of the largest face and of the scene.
package struct CaptureMeasures: Equatable, Sendable {
    /// How many faces are seen.
    package var faces = 0
    /// Of the face, as a fraction of the picture's smaller side.
    package var size: Float = 0
    /// How far the box of the face reaches beyond the picture, in sides of the box; 0: it does not.
    package var outside: Float = 0
    package var pose = Pose(yaw: 0, pitch: 0, roll: 0)
    /// 1: as at rest.
    package var eyeOpenness: Float = 1
    /// 0…1.
    package var smile: Float = 0
    /// 0…1.
    package var mouthOpening: Float = 0
    /// Of the scene and the face within the last half second, in the units of `Stillness`.
    package var motion: Float = 0
    /// 0: sharp … 1: nothing but blur (`FaceLook.blur`).
    package var blur: Float = 0
    /// The mean brightness of the skin, 0…1.
    package var brightness: Float = 0.5
    /// The share of the skin that is nearly white.
    package var overexposed: Float = 0
    /// The darker half of the face by the brighter one, 0…1.
    package var evenness: Float = 1

    package init() {}
}

extension CaptureMeasures {
    /// The unmet conditions for a picture, as sentences to the person in front of the camera, the most important first;
    /// empty: all are met.
    package func missing(_ wanted: [CaptureCondition]) -> [String] {
        guard faces > 0 else { return ["No face visible"] }
        if outside > 0.1 { return ["Move into the picture"] }
        if size < 0.12 { return ["Come nearer"] }
        return CaptureCondition.order.filter(wanted.contains).compactMap(objection)
    }

    /// Nil: the condition is met. A value that is no number meets none.
    private func objection(_ condition: CaptureCondition) -> String? {
        switch condition {
        case .alone: faces == 1 ? nil : "Only one person, please"
        case .lit:
            if overexposed > 0.1 || brightness > 0.85 {
                "Less light on the face"
            } else if !(brightness >= 0.18) {
                "More light on the face"
            } else if !(evenness >= 0.4) {
                "One side of the face is dark: use light from the front"
            } else {
                nil
            }
        case .frontal: turning
        case .still: motion <= 1 ? nil : "Keep still"
        case .eyesOpen: eyeOpenness >= 0.8 ? nil : "Open your eyes"
        case .mouthClosed: mouthOpening <= 0.15 ? nil : "Close your mouth"
        case .smiling: smile >= 0.35 ? nil : "Smile"
        case .sharp: blur <= 0.55 ? nil : "The picture is not sharp: keep still, clean the lens, or use more light"
        }
    }

    private var turning: String? {
        guard pose.yaw.isFinite, pose.pitch.isFinite, pose.roll.isFinite else { return "Look into the camera" }
        // To the right of the picture is the person's left; they are told the way back.
        if pose.yaw > 0.2 { return "Turn a little to your right" }
        if pose.yaw < -0.2 { return "Turn a little to your left" }
        if abs(pose.roll) > 0.15 { return "Hold your head upright" }
        // Models differ by some degrees in what they call level.
        if pose.pitch > 0.35 { return "Look down a little" }
        if pose.pitch < -0.35 { return "Look up a little" }
        return nil
    }
}
