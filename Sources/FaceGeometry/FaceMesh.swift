/// The triangulation of the reference face. It is computed once; on every face and in every frame only the vertices
/// move.
package struct FaceMesh: Equatable, Sendable {
    /// Parts of the face that a mask leaves open unless it asks for them.
    package enum Opening: String, CaseIterable, Sendable {
        case eyes
        case mouth

        /// Each hole's outline, as landmarks.
        package var outlines: [Range<Int>] {
            switch self {
            case .eyes: [Landmarks.rightEye, Landmarks.leftEye]
            case .mouth: [Landmarks.innerLips]
            }
        }

        func contains(_ triangle: Triangle) -> Bool {
            outlines.contains { outline in triangle.indices.allSatisfy(outline.contains) }
        }
    }

    package let triangles: [Triangle]

    /// The constrained Delaunay triangulation of the reference face: the rims of eyes and mouth are edges of it.
    package init(of reference: ReferenceFace) {
        triangles = DelaunayTriangulation.triangles(of: reference.vertices, constraints: Self.rims)
    }

    /// The edges around the openings.
    package static let rims: [Edge] = Opening.allCases.flatMap(\.outlines).flatMap { outline in
        outline.map { index in Edge(from: index, to: index + 1 < outline.upperBound ? index + 1 : outline.lowerBound) }
    }

    /// The triangles to draw when the given parts stay open.
    package func triangles(openings: Set<Opening>) -> [Triangle] {
        triangles.filter { triangle in !openings.contains { $0.contains(triangle) } }
    }

    /// Every side of a triangle once, in order.
    package var edges: [Edge] {
        Set(triangles.flatMap(\.edges).map(\.undirected)).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// The triangles that some places of the vertices turn over. A face may be the other way round as a whole: then it is
    /// those that are not.
    /// - Parameter tolerance: twice the area by which one must be over.
    package func foldedTriangles(_ vertices: [Point], tolerance: Float) -> [Triangle] {
        let areas = triangles.map { $0.doubleArea(vertices) }
        let isMirrored = areas.reduce(0, +) < 0
        return zip(triangles, areas).filter { (isMirrored ? $1 : -$1) > tolerance }.map(\.0)
    }

    /// The edges that belong to one triangle only: the outline, and the rims of the openings.
    package static func boundary(of triangles: [Triangle]) -> [Edge] {
        var counts: [Edge: Int] = [:]
        for triangle in triangles {
            for edge in triangle.edges { counts[edge.undirected, default: 0] += 1 }
        }
        return counts.filter { $0.value == 1 }.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    // MARK: Text

    /// One line a triangle, "a b c", after a heading. Vertices 0…67 are the landmarks, 68… the head points.
    package var text: String {
        let heading = """
            # The Delaunay triangulation of the reference face (face/reference.pts), with the rims of eyes and mouth as
            # constraints. Written by `bauta mesh`.
            # One triangle a line: three vertices, clockwise in the picture. 0-67: iBUG's landmarks; 68-78: head points.

            """
        return heading + triangles.map { "\($0.a) \($0.b) \($0.c)\n" }.joined()
    }

    /// - Throws: `ParseError` with the line.
    package init(parsing text: String) throws(ParseError) {
        var triangles: [Triangle] = []
        for (index, rawLine) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = rawLine.trimmingSpaces
            if line.isEmpty || line.hasPrefix("#") { continue }
            let numbers = line.split(separator: " ").map { Int($0) }
            let valid = numbers.compactMap(\.self).filter { (0..<ReferenceFace.vertexCount).contains($0) }
            guard numbers.count == 3, Set(valid).count == 3 else {
                throw ParseError(
                    "expected three different vertices of 0…\(ReferenceFace.vertexCount - 1), found '\(line)'",
                    line: index + 1)
            }
            triangles.append(Triangle(valid[0], valid[1], valid[2]))
        }
        guard !triangles.isEmpty else { throw ParseError("there is no triangle") }
        self.triangles = triangles
    }
}
