import FaceGeometry

/// The names by which avatars know expressions.
package enum AvatarExpressions: String, CaseIterable, Sendable {
    /// The presets of VRM 0, which every avatar in that format has.
    case vrm
    /// Of ARKit's 52 blend shapes those that can be derived from 68 landmarks, spelt with a capital, as in the clips of
    /// avatars for "perfect sync".
    case arkit

    /// The expressions that an avatar shows for a face, 0 to 1. Left and right are the subject's own.
    /// - Parameter knowsGaze: whether the pupils were looked for.
    package func values(of signals: ExpressionSignals, knowsGaze: Bool) -> [(name: String, value: Float)] {
        switch self {
        case .vrm:
            return [
                ("A", signals[.mouthOpening]), ("Joy", signals[.smile]), ("Blink_L", signals[.leftEyeClosing]),
                ("Blink_R", signals[.rightEyeClosing]),
            ]
        case .arkit:
            let (smile, brows) = (signals[.smile], signals[.browRaise])
            var values = [
                ("JawOpen", signals[.mouthOpening]), ("MouthSmileLeft", smile), ("MouthSmileRight", smile),
                ("BrowInnerUp", brows), ("BrowOuterUpLeft", brows), ("BrowOuterUpRight", brows),
                ("EyeBlinkLeft", signals[.leftEyeClosing]), ("EyeBlinkRight", signals[.rightEyeClosing]),
            ]
            guard knowsGaze else { return values }
            // The left eye looks out where the right one looks in.
            let (left, up) = (signals[.gazeTurn], signals[.gazeNod])
            for (name, value) in [
                ("EyeLookOutLeft", left), ("EyeLookInRight", left), ("EyeLookInLeft", -left),
                ("EyeLookOutRight", -left), ("EyeLookUpLeft", up), ("EyeLookUpRight", up), ("EyeLookDownLeft", -up),
                ("EyeLookDownRight", -up),
            ] { values.append((name, max(0, value))) }
            return values
        }
    }
}
