import FaceGeometry

/// A motion of the plane that stays close to a similarity: a similarity, and an affine correction of what it leaves.
struct AffineMotion {
    let similarity: SimilarityTransform
    private let center: Point
    private let offset: Point
    private let columns: (Point, Point)

    init(_ similarity: SimilarityTransform) {
        self.similarity = similarity
        (center, offset, columns) = (.zero, .zero, (.zero, .zero))
    }

    /// The motion that maps one set of points to another with the least weighted sum of squares.
    /// - Parameter ridge: how strongly the affine correction is held back, relative to the spread of the points.
    init(fitting from: Span<Point>, to target: Span<Point>, weights: Span<Float>, ridge: Float) {
        similarity = SimilarityTransform(fitting: from, to: target, weights: weights)
        var (center, offset, total) = (Point.zero, Point.zero, Float(1e-6))
        for index in from.indices where weights[index] > 0 {
            total += weights[index]
            center += weights[index] * from[index]
            offset += weights[index] * (target[index] - similarity(from[index]))
        }
        center /= total
        offset /= total
        var (xx, xy, yy) = (Float(0), Float(0), Float(0))
        var (x, y) = (Point.zero, Point.zero)
        for index in from.indices where weights[index] > 0 {
            let p = from[index] - center
            let error = weights[index] * (target[index] - similarity(from[index]) - offset)
            xx += weights[index] * p.x * p.x
            xy += weights[index] * p.x * p.y
            yy += weights[index] * p.y * p.y
            x += p.x * error
            y += p.y * error
        }
        let ridge = ridge * (xx + yy) / 2 + 1e-6
        xx += ridge
        yy += ridge
        let determinant = xx * yy - xy * xy
        columns = ((yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant)
        self.center = center
        self.offset = offset
    }

    private init(_ similarity: SimilarityTransform, center: Point, offset: Point, columns: (Point, Point)) {
        (self.similarity, self.center, self.offset, self.columns) = (similarity, center, offset, columns)
    }

    /// The motion between this one (`share` 0) and another (1).
    func mixed(with other: SimilarityTransform, share: Float) -> AffineMotion {
        let own = 1 - share
        return AffineMotion(
            SimilarityTransform(
                linear: own * similarity.linear + share * other.linear,
                translation: own * similarity.translation + share * other.translation),
            center: center, offset: own * offset, columns: (own * columns.0, own * columns.1))
    }

    func callAsFunction(_ point: Point) -> Point {
        let p = point - center
        return similarity(point) + offset + p.x * columns.0 + p.y * columns.1
    }
}
