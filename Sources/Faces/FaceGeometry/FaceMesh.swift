/// The triangulation of the reference face. It is computed once; on other faces only the vertices move.
package struct FaceMesh: Equatable, Sendable {
    /// Parts of the face that a mask leaves uncovered by default.
    package enum Opening: String, CaseIterable, Sendable {
        case eyes
        case mouth

        /// The outline of each hole: landmarks, clockwise in the picture.
        package var outlines: [[Int]] {
            let topology = Landmarks.topology
            return switch self {
            case .eyes: [topology.rightEye.outline, topology.leftEye.outline]
            case .mouth: [topology.innerLips.outline]
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
        outline.indices.map { Edge(from: outline[$0], to: outline[($0 + 1) % outline.count]) }
    }

    /// The triangles to draw when the given parts stay open.
    package func triangles(openings: Set<Opening>) -> [Triangle] {
        triangles.filter { triangle in !openings.contains { $0.contains(triangle) } }
    }

    /// Every edge once, in ascending order.
    package var edges: [Edge] {
        Set(triangles.flatMap(\.edges).map(\.undirected)).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// The triangles that are folded over when the vertices are moved: their orientation differs from that of the face as
    /// a whole, which may be mirrored.
    /// - Parameter tolerance: a triangle counts as folded when twice its negative area exceeds this.
    package func foldedTriangles(_ vertices: [Point], tolerance: Float) -> [Triangle] {
        let areas = triangles.map { $0.doubleArea(vertices) }
        let isMirrored = areas.reduce(0, +) < 0
        return zip(triangles, areas).filter { (isMirrored ? $1 : -$1) > tolerance }.map(\.0)
    }

    /// The edges that belong to a single triangle: the outline and the rims of the openings.
    package static func boundary(of triangles: [Triangle]) -> [Edge] {
        var counts: [Edge: Int] = [:]
        for triangle in triangles {
            for edge in triangle.edges { counts[edge.undirected, default: 0] += 1 }
        }
        return counts.filter { $0.value == 1 }.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    // MARK: Text

    /// One line for each triangle, "a b c", after a heading. Landmarks come first, then the head points.
    package var text: String {
        let (count, end) = (Landmarks.count, ReferenceFace.vertexCount)
        let heading = """
            # The Delaunay triangulation of the reference face (face/reference.pts), with the rims of eyes and mouth as
            # constraints. Written by `bauta lab mesh`.
            # One triangle a line: three vertices, clockwise in the picture. 0-\(count - 1): iBUG's landmarks; \(count)-\(end - 1): head points.

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
