/// The convex hull of points in a picture, in pixels.
package struct ConvexOutline: Sendable {
    /// In the order of their angle, clockwise in the picture. Fewer than three: it has no area.
    package let corners: [Point]

    /// Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
    package init(around points: some Sequence<Point>) {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var chain: [Point] = []
            for point in points {
                while chain.count > 1, Self.turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        corners = chain(sorted) + chain(sorted.reversed())
    }

    /// Of a point from the outline, in pixels: negative inside.
    package func distance(of point: Point) -> Float {
        var nearest = Float.infinity
        var isInside = corners.count > 2
        for index in corners.indices {
            let (from, to) = (corners[index], corners[index + 1 == corners.count ? 0 : index + 1])
            nearest = min(nearest, Segment(from: from, to: to).distance(of: point))
            if Self.turn(from, to, point) < 0 { isInside = false }
        }
        return isInside ? -nearest : nearest
    }

    /// Positive: the path turns clockwise in the picture.
    private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Float {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}

/// A straight line between two points of a picture, in pixels.
package struct Segment: Sendable {
    package var from: Point
    package var to: Point

    package init(from: Point, to: Point) { (self.from, self.to) = (from, to) }

    package func distance(of point: Point) -> Float {
        let along = to - from
        let share = ((point - from) * along).sum() / max((along * along).sum(), 1e-12)
        return (point - from - max(0, min(1, share)) * along).length
    }
}
