/// Delaunay triangulation of points in the plane by incremental insertion (Bowyer 1981, Watson 1981).
package enum DelaunayTriangulation {
    /// Triangles as indices into `points`, each clockwise as seen in a picture (y down), in a stable order: the
    /// smallest index first, then sorted. For four points on one circle either diagonal is valid; the choice depends
    /// only on the points and their order.
    /// - Complexity: O(n²), which is fast enough for a face.
    package static func triangles(of points: [Point]) -> [Triangle] {
        guard points.count >= 3 else { return [] }
        let bounds = FaceBox(around: points)
        let span = Double(max(bounds.width, bounds.height, 1e-6))
        let center = SIMD2<Double>(Double(bounds.center.x), Double(bounds.center.y))
        // A triangle so far outside that it does not remove edges of the hull.
        let far = 1e5 * span
        let all =
            points.map { SIMD2<Double>(Double($0.x), Double($0.y)) } + [
                center + SIMD2(-far, -far), center + SIMD2(far, -far), center + SIMD2(0, far),
            ]
        var triangles = [clockwise(points.count, points.count + 1, points.count + 2, all)]
        for index in points.indices {
            var edges: [Edge: Int] = [:]
            var kept: [Triangle] = []
            for triangle in triangles {
                if circumcircle(of: triangle, all, contains: all[index]) {
                    for edge in triangle.edges { edges[edge.undirected, default: 0] += 1 }
                } else {
                    kept.append(triangle)
                }
            }
            // The removed triangles form a polygon around the new point; edges that occur once are its outline.
            for (edge, count) in edges where count == 1 { kept.append(clockwise(edge.from, edge.to, index, all)) }
            triangles = kept.sorted()
        }
        return triangles.filter { triangle in triangle.indices.allSatisfy { $0 < points.count } }.sorted()
    }

    /// Positive inside the circle through a triangle's corners, zero on it, negative outside, relative to the
    /// circle's size: about twice the distance from the circle in radii.
    package static func incircle(_ triangle: Triangle, _ points: [SIMD2<Double>], _ point: SIMD2<Double>) -> Double {
        let (a, b, c) = (points[triangle.a], points[triangle.b], points[triangle.c])
        let (ab, ac) = (b - a, c - a)
        let cross = ab.x * ac.y - ab.y * ac.x
        let (abLength, acLength) = ((ab * ab).sum(), (ac * ac).sum())
        let center = SIMD2(ac.y * abLength - ab.y * acLength, ab.x * acLength - ac.x * abLength) / (2 * cross)
        let radiusSquared = (center * center).sum()
        let offset = point - a - center
        return 1 - (offset * offset).sum() / radiusSquared
    }

    private static func circumcircle(
        of triangle: Triangle, _ points: [SIMD2<Double>], contains point: SIMD2<Double>
    ) -> Bool {
        // The determinant of Guibas & Stolfi (1985). Unlike the distance from the circle's centre, its sign stays right
        // if a corner is far away and the circle is nearly a line.
        let (a, b, c) = (points[triangle.a] - point, points[triangle.b] - point, points[triangle.c] - point)
        let (aa, bb, cc) = ((a * a).sum(), (b * b).sum(), (c * c).sum())
        let terms = (aa * (b.x * c.y - b.y * c.x), bb * (c.x * a.y - c.y * a.x), cc * (a.x * b.y - a.y * b.x))
        let scale =
            aa * (abs(b.x * c.y) + abs(b.y * c.x)) + bb * (abs(c.x * a.y) + abs(c.y * a.x))
            + cc * (abs(a.x * b.y) + abs(a.y * b.x))
        // Points on the circle count as outside, despite rounding errors.
        return terms.0 + terms.1 + terms.2 > 1e-11 * scale
    }

    private static func clockwise(_ a: Int, _ b: Int, _ c: Int, _ points: [SIMD2<Double>]) -> Triangle {
        let (ab, ac) = (points[b] - points[a], points[c] - points[a])
        let isClockwise = ab.x * ac.y - ab.y * ac.x > 0  // y points down
        return Triangle(a, isClockwise ? b : c, isClockwise ? c : b)
    }
}

/// Three vertices, clockwise in the picture, the smallest index first.
package struct Triangle: Hashable, Comparable, Sendable {
    package let a: Int
    package let b: Int
    package let c: Int

    package init(_ a: Int, _ b: Int, _ c: Int) {
        switch min(a, b, c) {
        case a: (self.a, self.b, self.c) = (a, b, c)
        case b: (self.a, self.b, self.c) = (b, c, a)
        default: (self.a, self.b, self.c) = (c, a, b)
        }
    }

    package var indices: [Int] { [a, b, c] }
    package var edges: [Edge] { [Edge(from: a, to: b), Edge(from: b, to: c), Edge(from: c, to: a)] }

    package static func < (left: Triangle, right: Triangle) -> Bool {
        (left.a, left.b, left.c) < (right.a, right.b, right.c)
    }

    /// Whether a place lies in the triangle or on its edges. Its corners must be clockwise in the picture.
    package func contains(_ place: Point, _ points: [Point]) -> Bool {
        func area(_ p: Point, _ q: Point) -> Float {
            (p.x - place.x) * (q.y - place.y) - (p.y - place.y) * (q.x - place.x)
        }
        let (a, b, c) = (points[self.a], points[self.b], points[self.c])
        return min(area(a, b), area(b, c), area(c, a)) >= 0
    }

    /// Twice the signed area; positive if the corners are clockwise in the picture.
    package func doubleArea(_ points: [Point]) -> Float {
        let (ab, ac) = (points[b] - points[a], points[c] - points[a])
        return ab.x * ac.y - ab.y * ac.x
    }
}

/// An edge of a triangle.
package struct Edge: Hashable, Sendable {
    package let from: Int
    package let to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    package var undirected: Edge { from < to ? self : Edge(from: to, to: from) }
}
