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

    /// The similarity that maps one set of landmarks to another with the least weighted sum of squares (Umeyama 1991,
    /// without reflection).
    package init(fitting from: Landmarks, to target: Landmarks, weights: PerLandmark<Float>) {
        var (fromCenter, toCenter, total) = (Point.zero, Point.zero, Float(0))
        for index in weights.indices {
            fromCenter += weights[index] * from[index]
            toCenter += weights[index] * target[index]
            total += weights[index]
        }
        fromCenter /= max(total, 1e-12)
        toCenter /= max(total, 1e-12)
        var (dot, cross, square) = (Float(0), Float(0), Float(0))
        for index in weights.indices {
            let (p, q) = (from[index] - fromCenter, target[index] - toCenter)
            dot += weights[index] * (p * q).sum()
            cross += weights[index] * (p.x * q.y - p.y * q.x)
            square += weights[index] * (p * p).sum()
        }
        linear = square > 1e-12 ? Point(dot, cross) / square : Point(1, 0)
        translation = .zero
        translation = toCenter - self(fromCenter)
    }

    package func callAsFunction(_ p: Point) -> Point {
        Point(linear.x * p.x - linear.y * p.y, linear.y * p.x + linear.x * p.y) + translation
    }

    package var scale: Float { linear.length }

    package var inverse: SimilarityTransform {
        let square = max((linear * linear).sum(), 1e-12)
        var result = SimilarityTransform(linear: Point(linear.x, -linear.y) / square, translation: .zero)
        result.translation = -1 * result(translation)
        return result
    }
}
