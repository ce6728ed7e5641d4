extension DelaunayTriangulation {
    /// The constrained Delaunay triangulation (Chew 1989): it contains the given edges, and the circumcircle of a
    /// triangle contains no point that is visible from the triangle without crossing a constraint.
    ///
    /// Missing edges are inserted by flipping the edges that cross them; then the others are flipped until they meet
    /// the criterion again (Sloan 1993).
    package static func triangles(of points: [Point], constraints: [Edge]) -> [Triangle] {
        let all = points.map { SIMD2<Double>(Double($0.x), Double($0.y)) }
        var mesh = FlippableMesh(triangles: triangles(of: points), points: all)
        let constraints = Set(constraints.map(\.undirected))
        for constraint in constraints.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) { mesh.force(constraint) }
        mesh.restoreCriterion(keeping: constraints)
        return mesh.triangles.sorted()
    }
}

/// Triangles whose shared edges can be swapped for the other diagonal of the two triangles.
private struct FlippableMesh {
    private(set) var triangles: Set<Triangle>
    let points: [SIMD2<Double>]

    init(triangles: [Triangle], points: [SIMD2<Double>]) {
        self.triangles = Set(triangles)
        self.points = points
    }

    mutating func force(_ constraint: Edge) {
        // Flips remove all crossings in the end; the bound is for input that no flip can fix.
        for _ in 0..<(points.count * points.count) {
            let edges = innerEdges()
            if triangles.contains(where: { $0.edges.contains { $0.undirected == constraint } }) { return }
            guard
                let crossing = edges.first(where: { edge, apexes in
                    crosses(edge, constraint) && isConvex(edge, apexes)
                })
            else { return }
            flip(crossing.edge, crossing.apexes)
        }
    }

    mutating func restoreCriterion(keeping constraints: Set<Edge>) {
        for _ in 0..<(points.count * points.count) {
            guard
                let bad = innerEdges().first(where: { edge, apexes in
                    let triangle = Triangle(edge.from, edge.to, apexes.0)
                    return !constraints.contains(edge) && isConvex(edge, apexes)
                        && DelaunayTriangulation.incircle(triangle, points, points[apexes.1]) > 1e-9
                })
            else { return }
            flip(bad.edge, bad.apexes)
        }
    }

    /// Edges between two triangles with the corners opposite them, in a stable order.
    private func innerEdges() -> [(edge: Edge, apexes: (Int, Int))] {
        var apexes: [Edge: [Int]] = [:]
        for triangle in triangles.sorted() {
            for edge in triangle.edges {
                let apex = triangle.a + triangle.b + triangle.c - edge.from - edge.to
                apexes[edge.undirected, default: []].append(apex)
            }
        }
        return apexes.filter { $0.value.count == 2 }.map { ($0.key, ($0.value[0], $0.value[1])) }
            .sorted { ($0.edge.from, $0.edge.to) < ($1.edge.from, $1.edge.to) }
    }

    private mutating func flip(_ edge: Edge, _ apexes: (Int, Int)) {
        triangles = triangles.filter { triangle in
            !(triangle.indices.contains(edge.from) && triangle.indices.contains(edge.to))
        }
        triangles.insert(clockwise(apexes.0, apexes.1, edge.from))
        triangles.insert(clockwise(apexes.0, apexes.1, edge.to))
    }

    private func clockwise(_ a: Int, _ b: Int, _ c: Int) -> Triangle {
        side(points[a], points[b], points[c]) > 0 ? Triangle(a, b, c) : Triangle(a, c, b)
    }

    private func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ p: SIMD2<Double>) -> Double {
        (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    }

    private func crosses(_ first: Edge, _ second: Edge) -> Bool {
        guard Set([first.from, first.to, second.from, second.to]).count == 4 else { return false }
        return separates(first, second) && separates(second, first)
    }

    private func separates(_ line: Edge, _ ends: Edge) -> Bool {
        let (a, b) = (points[line.from], points[line.to])
        return side(a, b, points[ends.from]) * side(a, b, points[ends.to]) < 0
    }

    private func isConvex(_ edge: Edge, _ apexes: (Int, Int)) -> Bool {
        crosses(edge, Edge(from: apexes.0, to: apexes.1))
    }
}
