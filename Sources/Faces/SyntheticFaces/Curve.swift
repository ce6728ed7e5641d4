import FaceGeometry

/// A Catmull–Rom spline through given points (Catmull & Rom 1974), as a fine polyline.
struct Curve: Sendable {
    let points: [Point]
    let bounds: FaceBox

    init(through knots: [Point], stepsPerSpan: Int = 8) {
        var points: [Point] = []
        for index in 0..<(knots.count - 1) {
            let before = index > 0 ? knots[index - 1] : 2 * knots[0] - knots[1]
            let (from, to) = (knots[index], knots[index + 1])
            let after = index + 2 < knots.count ? knots[index + 2] : 2 * to - from
            for step in 0..<stepsPerSpan {
                let t = Float(step) / Float(stepsPerSpan)
                let tangents = (to - before) * (t - 2 * t * t + t * t * t) + (after - from) * (t * t * t - t * t)
                points.append(from + (to - from) * (3 * t * t - 2 * t * t * t) + 0.5 * tangents)
            }
        }
        points.append(knots[knots.count - 1])
        self.init(points: points)
    }

    private init(points: [Point]) {
        self.points = points
        bounds = FaceBox(around: points)
    }

    /// The outline of the area between two curves with the same ends.
    static func closed(_ upper: Curve, _ lower: Curve) -> Curve {
        Curve(points: upper.points + lower.points.reversed().dropFirst())
    }

    /// Distance to the nearest point of the curve, and the position of that point along the curve (0…1).
    func distance(to point: Point) -> (distance: Float, along: Float) {
        var best: Float = .infinity
        var along: Float = 0
        for index in 0..<(points.count - 1) {
            let edge = points[index + 1] - points[index]
            let offset = point - points[index]
            let t = max(0, min(1, (edge * offset).sum() / max((edge * edge).sum(), 1e-12)))
            let rest = offset - t * edge
            let squared = (rest * rest).sum()
            if squared < best {
                best = squared
                along = (Float(index) + t) / Float(points.count - 1)
            }
        }
        return (best.squareRoot(), along)
    }

    /// Distance to a closed outline, negative inside (even–odd rule).
    func signedDistance(to point: Point) -> Float {
        var isInside = false
        var previous = points[points.count - 1]
        for current in points {
            if (current.y > point.y) != (previous.y > point.y) {
                let x = previous.x + (point.y - previous.y) / (current.y - previous.y) * (current.x - previous.x)
                if point.x < x { isInside.toggle() }
            }
            previous = current
        }
        let distance = distance(to: point).distance
        return isInside ? -distance : distance
    }

    /// Whether a point lies in the curve's bounding box grown by a margin: a cheap test before the distances.
    func isNear(_ point: Point, margin: Float) -> Bool {
        point.x > bounds.x - margin && point.x < bounds.x + bounds.width + margin && point.y > bounds.y - margin
            && point.y < bounds.y + bounds.height + margin
    }
}
