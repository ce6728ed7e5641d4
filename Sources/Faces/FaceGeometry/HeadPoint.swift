/// Points of the head that continue the landmarks: from the right side of the head over the hairline to the left side
/// (the subject's own right and left).
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

    /// The point that takes its place when the picture is mirrored.
    package var mirrored: HeadPoint { Self.allCases[Self.allCases.count - 1 - rawValue] }

    /// Its index among the vertices of the mesh.
    package var vertex: Int { Landmarks.count + rawValue }
}

/// The head points of a face, in pixels.
package struct HeadPoints: Equatable, Sendable {
    private var storage: InlineArray<11, Point>

    package init(_ place: (HeadPoint) -> Point) {
        storage = InlineArray { index in HeadPoint(rawValue: index).map(place) ?? .zero }
    }

    package subscript(headPoint: HeadPoint) -> Point { storage[headPoint.rawValue] }

    /// A copy in an array, in the order of `HeadPoint.allCases`.
    package var points: [Point] { Array(storage) }

    package func append(to points: inout [Point]) { for index in storage.indices { points.append(storage[index]) } }

    package static func == (a: HeadPoints, b: HeadPoints) -> Bool {
        for index in a.storage.indices where a.storage[index] != b.storage[index] { return false }
        return true
    }
}
