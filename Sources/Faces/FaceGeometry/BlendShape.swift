/// The 52 expressions of ARKit (Apple, `ARFaceAnchor.BlendShapeLocation`): the names by which the morph targets of 3-D heads
/// are known. Left and right are the subject's own.
package enum BlendShape: Int, CaseIterable, Sendable {
    case browDownLeft, browDownRight, browInnerUp, browOuterUpLeft, browOuterUpRight
    case cheekPuff, cheekSquintLeft, cheekSquintRight
    case eyeBlinkLeft, eyeBlinkRight, eyeLookDownLeft, eyeLookDownRight, eyeLookInLeft, eyeLookInRight
    case eyeLookOutLeft, eyeLookOutRight, eyeLookUpLeft, eyeLookUpRight
    case eyeSquintLeft, eyeSquintRight, eyeWideLeft, eyeWideRight
    case jawForward, jawLeft, jawOpen, jawRight
    case mouthClose, mouthDimpleLeft, mouthDimpleRight, mouthFrownLeft, mouthFrownRight, mouthFunnel
    case mouthLeft, mouthLowerDownLeft, mouthLowerDownRight, mouthPressLeft, mouthPressRight, mouthPucker
    case mouthRight, mouthRollLower, mouthRollUpper, mouthShrugLower, mouthShrugUpper
    case mouthSmileLeft, mouthSmileRight, mouthStretchLeft, mouthStretchRight, mouthUpperUpLeft, mouthUpperUpRight
    case noseSneerLeft, noseSneerRight, tongueOut

    /// As ARKit spells it.
    package var name: String { "\(self)" }

    /// - Parameter name: as ARKit spells it, or with a capital, as avatars for "perfect sync" have it.
    package init?(name: some StringProtocol) {
        guard let first = name.first else { return nil }
        let spelling = first.lowercased() + name.dropFirst()
        guard let known = Self.byName[spelling] else { return nil }
        self = known
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Whether it depends on where the eyes look.
    package var isGaze: Bool { (Self.eyeLookDownLeft.rawValue...Self.eyeLookUpRight.rawValue).contains(rawValue) }

    /// Whether 68 landmarks and the pupils show it. The others stay 0: cheeks, tongue and nose, pressed and rolled lips, and
    /// what the jaw does behind the lips.
    package var isMeasured: Bool {
        switch self {
        case .browDownLeft, .browDownRight, .browInnerUp, .browOuterUpLeft, .browOuterUpRight, .eyeBlinkLeft,
            .eyeBlinkRight, .eyeWideLeft, .eyeWideRight, .jawOpen, .mouthFrownLeft, .mouthFrownRight, .mouthFunnel,
            .mouthLeft, .mouthPucker, .mouthRight, .mouthSmileLeft, .mouthSmileRight, .mouthStretchLeft,
            .mouthStretchRight:
            true
        default: isGaze
        }
    }
}

/// How far a face shows each of `BlendShape`, 0 (not at all) to 1.
package struct BlendShapes: Equatable, Sendable {
    private var values = InlineArray<52, Float>(repeating: 0)

    /// A face at rest.
    package init() {}

    package subscript(shape: BlendShape) -> Float {
        get { values[shape.rawValue] }
        set { values[shape.rawValue] = newValue }
    }

    package static func == (a: BlendShapes, b: BlendShapes) -> Bool {
        for index in 0..<52 where a.values[index] != b.values[index] { return false }
        return true
    }
}
