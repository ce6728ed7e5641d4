/// How far a person's forehead reaches beyond the head points, which are those of a mean head, up to the hair.
package struct Hairline: Sendable {
    /// By head point, from the right upper temple: in distances of the head point from the root of the nose.
    private var raises: InlineArray<7, Float>

    /// The head points that may be raised: those above the temples.
    package static let headPoints: [HeadPoint] = [
        .rightUpperTemple, .rightHairlineCorner, .rightHairline, .hairlineCenter, .leftHairline, .leftHairlineCorner,
        .leftUpperTemple,
    ]

    /// - Parameter raise: of the head points by their index in `headPoints`, from 0; in distances of the head point from the
    ///   root of the nose.
    package init(_ raise: (Int) -> Float) { raises = InlineArray(raise) }

    /// Whether no head point moves.
    package var isMean: Bool {
        for index in raises.indices where raises[index] != 0 { return false }
        return true
    }

    /// - Parameter fraction: of the way to the other hairline, 0…1.
    package mutating func approach(_ other: Hairline, fraction: Float) {
        for index in raises.indices { raises[index] += fraction * (other.raises[index] - raises[index]) }
    }

    /// A place on the line from the root of the nose through a head point.
    /// - Parameters:
    ///   - vertices: of the mesh, with unmoved head points.
    ///   - raise: beyond the head point; see `init(_:)`.
    package static func place(above headPoint: HeadPoint, _ vertices: [Point], raise: Float) -> Point {
        raised(vertices[headPoint.vertex], from: vertices[Landmarks.topology.noseBridge[0]], by: raise)
    }

    fileprivate static func raised(_ place: Point, from root: Point, by raise: Float) -> Point {
        root + (1 + raise) * (place - root)
    }

    /// Moves the head points of a mesh.
    package func raise(_ vertices: inout [Point]) {
        for (index, headPoint) in Self.headPoints.enumerated() {
            vertices[headPoint.vertex] = Self.place(above: headPoint, vertices, raise: raises[index])
        }
    }
}

extension Face {
    /// Moves head points up to the hair.
    package mutating func raise(to hairline: Hairline) {
        let root = landmarks[Landmarks.topology.noseBridge[0]]
        let old = headPoints
        headPoints = HeadPoints { headPoint in
            Hairline.raised(old[headPoint], from: root, by: hairline.raise(of: headPoint))
        }
    }
}

extension Hairline {
    fileprivate func raise(of headPoint: HeadPoint) -> Float {
        let index = headPoint.rawValue - HeadPoint.rightUpperTemple.rawValue
        return raises.indices.contains(index) ? raises[index] : 0
    }
}
