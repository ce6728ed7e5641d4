/// A rotation, a scale and a translation of the plane: p ↦ linear · p + translation, with `linear` read as a complex
/// number a + ib (a·x − b·y, b·x + a·y).
package struct SimilarityTransform: Equatable, Sendable {
    package var linear: Point
    package var translation: Point

    package static let identity = SimilarityTransform(linear: Point(1, 0), translation: .zero)

    package init(linear: Point, translation: Point) {
        self.linear = linear
        self.translation = translation
    }

    /// The similarity that maps one set of points to another with the least weighted sum of squares (Umeyama 1991,
    /// without reflection).
    package init(fitting from: Span<Point>, to target: Span<Point>, weights: Span<Float>) {
        var (fromCenter, toCenter, total) = (Point.zero, Point.zero, Float(0))
        for index in from.indices {
            fromCenter += weights[index] * from[index]
            toCenter += weights[index] * target[index]
            total += weights[index]
        }
        fromCenter /= max(total, 1e-12)
        toCenter /= max(total, 1e-12)
        var (dot, cross, square) = (Float(0), Float(0), Float(0))
        for index in from.indices {
            let (p, q) = (from[index] - fromCenter, target[index] - toCenter)
            dot += weights[index] * (p * q).sum()
            cross += weights[index] * (p.x * q.y - p.y * q.x)
            square += weights[index] * (p * p).sum()
        }
        linear = square > 1e-12 ? Point(dot, cross) / square : Point(1, 0)
        translation = .zero
        translation = toCenter - self(fromCenter)
    }

    package init(fitting from: Landmarks, to target: Landmarks, weights: PerLandmark<Float>) {
        let (points, moved) = (PerLandmark<Point> { from[$0] }, PerLandmark<Point> { target[$0] })
        self.init(fitting: points.span, to: moved.span, weights: weights.span)
    }

    package func callAsFunction(_ p: Point) -> Point {
        turned(p) + translation
    }

    /// The similarity that applies `other` first.
    package func after(_ other: SimilarityTransform) -> SimilarityTransform {
        SimilarityTransform(linear: turned(other.linear), translation: self(other.translation))
    }

    /// Rotates and scales a displacement.
    package func turned(_ d: Point) -> Point {
        Point(linear.x * d.x - linear.y * d.y, linear.y * d.x + linear.x * d.y)
    }

    package var scale: Float { linear.length }

    package var inverse: SimilarityTransform {
        let square = max((linear * linear).sum(), 1e-12)
        var result = SimilarityTransform(linear: Point(linear.x, -linear.y) / square, translation: .zero)
        result.translation = -1 * result(translation)
        return result
    }
}
