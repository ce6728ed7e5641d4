import FaceGeometry

/// How a face moved from one frame to the next: optical flow at its landmarks and at the points of its skin that are
/// easiest to follow.
///
/// A robust fit gives the motion of the face as a whole. What the points move beyond it is expression, perspective, or an
/// error: the mesh is fitted to it, so that it moves as the skin does between the landmarks, too.
struct SkinMotion {
    /// The motion of the face as a whole.
    let whole: SimilarityTransform
    /// Where the landmarks are carried, in pixels.
    let landmarks: Landmarks
    /// The mean residual of flow, in grey values.
    let residual: Float
    /// The fraction of the points that move with the whole face.
    let agreement: Float

    private static let capacity = 468
    private typealias Values<Value> = InlineArray<468, Value>

    /// Lengths are in sides of the face's box.
    private enum Constant {
        /// The error at which a point counts as an outlier of the motion of the whole face; at least the median error.
        static let outlier: Float = 0.0035
        /// The same beyond that motion: skin, and features that have muscles.
        static let skin: Float = 0.006
        static let feature: Float = 0.03
        /// Weights relative to that of a point of the skin: of a landmark's own flow, of two neighbours moving alike, and
        /// of nothing moving beyond the whole face.
        static let landmark: Float = 0.2
        static let stiffness: Float = 0.03
        static let rest: Float = 0.02
        static let iterations = 8
        /// How strongly the affine part of the motion is held back: see `AffineMotion`. It grows with the square of the noise.
        static let ridge: Float = 0.3
    }

    /// - Parameters:
    ///   - face: the landmarks in the frame of `patch`, in pixels.
    ///   - start: a guess of the motion.
    ///   - side: of the face's box, in pixels.
    ///   - noise: of the pictures: 1 for a good camera.
    init(
        of face: Landmarks, from patch: FlowPatch, to next: FlowPatch, start: SimilarityTransform, mesh: LandmarkMesh,
        side: Float, noise: Float
    ) {
        var points = Values<Point>(repeating: .zero)
        for index in 0..<Landmarks.count { points[index] = face[index] }
        var corners = InlineArray<400, Point>(repeating: .zero)
        var places = InlineArray<400, LandmarkMesh.Place>(
            repeating: LandmarkMesh.Place(triangle: Triangle(0, 1, 2), weights: .zero))
        var count = Landmarks.count
        for index in 0..<patch.corners(in: face.bounds, &corners) {
            guard let place = mesh.place(of: corners[index], on: face) else { continue }
            points[count] = corners[index]
            places[count - Landmarks.count] = place
            count += 1
        }
        var moved = Values<Point> { start(points[$0]) }
        var residuals = Values<Float>(repeating: -1)
        patch.follow(points, count: count, into: next, moved: &moved, residual: &residuals)
        let topology = Landmarks.topology
        // The jaw line has no texture along itself, and moves along the skin of a head that turns.
        let base = Values<Float> { index in
            guard index < count, residuals[index] >= 0 else { return 0 }
            if index >= Landmarks.count { return 1 }
            return topology.isOnJaw(index) ? 0 : Constant.landmark
        }
        let (fit, weights) = Self.robustFit(points, moved, base, side: side, ridge: Constant.ridge * noise * noise)
        whole = fit.similarity
        var (residual, agreeing, total) = (Float(0), Float(0), Float(1e-6))
        for index in 0..<count where base[index] > 0 {
            residual += base[index] * residuals[index]
            agreeing += weights[index].squareRoot() * base[index].squareRoot()
            total += base[index]
        }
        self.residual = residual / total
        agreement = agreeing / total
        // The noisier the pictures, the less is known of what single points move beyond the whole face.
        let caution = noise * noise * noise
        var solver = MeshFit()
        for edge in mesh.edges { solver.tie(edge, weight: Constant.stiffness * caution) }
        for index in 0..<Landmarks.count { solver.hold(index, weight: Constant.rest * caution) }
        for index in 0..<count where base[index] > 0 {
            let own = (moved[index] - fit(points[index])) / side
            let isFeature = index < Landmarks.count && topology.features.contains(index)
            let weight = base[index] * Self.trust(own.length / (isFeature ? Constant.feature : Constant.skin))
            if index < Landmarks.count {
                solver.displace(index, by: own, weight: weight)
            } else {
                solver.displace(places[index - Landmarks.count], by: own, weight: weight)
            }
        }
        let own = solver.solve()
        landmarks = face.mappedWithIndex { index, point in fit(point) + side * own[index] }
    }

    /// The squared weight of Cauchy's estimator.
    private static func trust(_ error: Float) -> Float {
        let weight = 1 / (1 + error * error)
        return weight * weight
    }

    /// The motion of the whole face, by iteratively reweighted least squares. The tolerance shrinks as the fit gets
    /// better, so that a fast motion, of which the first fit is poor, is found, too.
    /// - Parameter base: the weights of the points before outliers are judged.
    private static func robustFit(
        _ points: Values<Point>, _ moved: Values<Point>, _ base: Values<Float>, side: Float, ridge: Float
    ) -> (AffineMotion, weights: Values<Float>) {
        var weights = base
        var fit = AffineMotion(fitting: points, to: moved, weights: weights, ridge: ridge)
        for _ in 0..<Constant.iterations {
            var errors = Values<Float>(repeating: 0)
            for index in base.indices where base[index] > 0 {
                errors[index] = (moved[index] - fit(points[index])).length / side
            }
            let tolerance = max(Constant.outlier, median(errors, base))
            for index in base.indices { weights[index] = base[index] * trust(errors[index] / tolerance) }
            fit = AffineMotion(fitting: points, to: moved, weights: weights, ridge: ridge)
        }
        return (fit, weights)
    }

    /// The weighted median of errors between 0 and 0.25, by bisection.
    private static func median(_ errors: Values<Float>, _ weights: Values<Float>) -> Float {
        var total: Float = 0
        for index in weights.indices { total += weights[index] }
        var (low, high) = (Float(0), Float(0.25))
        for _ in 0..<10 {
            let middle = (low + high) / 2
            var below: Float = 0
            for index in errors.indices where errors[index] < middle { below += weights[index] }
            if below < total / 2 { low = middle } else { high = middle }
        }
        return high
    }
}
