import FaceGeometry

/// What the points of a head that turns move beyond the affine motion of its face: in proportion to how far they stand out,
/// so that a nose and the cheeks beside it part. Something in front of the face does not move so.
struct ReliefMotion {
    /// A head that turns faster, in radians from one frame to the next, is not followed anyway.
    private static let most: Float = 0.35
    private static let iterations = 3

    /// Per width of the face, in sides of its box.
    private var slope = Point.zero
    private var meanDepth: Float = 0

    /// - Parameters:
    ///   - fit: the affine motion.
    ///   - weights: of the points.
    ///   - tolerance: the error at which a point counts as an outlier, in sides of the box.
    init(
        of fit: AffineMotion, _ followed: borrowing FollowedPoints, weights: Span<Float>, tolerance: Float,
        mesh: LandmarkMesh, side: Float
    ) {
        let (points, moved, places) = (followed.before.span, followed.after.span, followed.places.span)
        for _ in 0..<Self.iterations {
            var (total, depth, square): (Float, Float, Float) = (1e-6, 0, 0)
            var (motion, product) = (Point.zero, Point.zero)
            for index in Landmarks.count..<weights.count where weights[index] > 0 {
                let beyond = (moved[index] - fit(points[index])) / side
                let own = mesh.depth(of: places[index - Landmarks.count])
                let weight = weights[index] * SkinMotion.trust((beyond - self(own)).length / tolerance)
                total += weight
                depth += weight * own
                square += weight * own * own
                motion += weight * beyond
                product += (weight * own) * beyond
            }
            meanDepth = depth / total
            let variance = square - depth * meanDepth
            guard variance > 1e-5 * total else { return }
            slope = (product - meanDepth * motion) / variance
            let length = slope.length
            if length > Self.most { slope = (Self.most / length) * slope }
        }
    }

    /// What a point moves beyond the affine motion, in sides of the box.
    /// - Parameter depth: how far it stands out, in widths of the face.
    func callAsFunction(_ depth: Float) -> Point { (depth - meanDepth) * slope }
}
