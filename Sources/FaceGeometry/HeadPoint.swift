/// Points of the head beyond the 68 landmarks, from the side of the head at the subject's right over the hairline to
/// the left.
package enum HeadPoint: Int, CaseIterable, Sendable {
    case rightSide
    case rightTemple
    case rightUpperTemple
    case rightHairlineCorner
    case rightHairline
    case hairlineCenter
    case leftHairline
    case leftHairlineCorner
    case leftUpperTemple
    case leftTemple
    case leftSide

    /// The one that takes its place when the picture is mirrored.
    package var mirrored: HeadPoint { Self.allCases[Self.allCases.count - 1 - rawValue] }

    /// Its index among the vertices of the mesh.
    package var vertex: Int { Landmarks.count + rawValue }
}
