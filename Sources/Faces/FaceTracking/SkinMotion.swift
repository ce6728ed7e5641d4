import FaceGeometry
import LandmarkModels

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
    /// How well flow follows everything in the place of the face, and that of it which is not foreign.
    let (everything, own): (Following, Following)
    /// The fraction of the skin's points that move unlike it: something moves in front of the face.
    let disturbance: Float
    /// Where something moves in front of the face.
    let foreign: ForeignPlaces

    struct Following {
        /// The mean residual of flow, in grey values.
        var residual: Float = 0
        /// The fraction of the points that move with the whole face.
        var agreement: Float = 0
        fileprivate var total: Float = 1e-6

        /// - Parameters:
        ///   - weight: of a point.
        ///   - trust: in its moving with the face, 0…1.
        fileprivate mutating func add(residual other: Float, trust: Float, weight: Float) {
            let share = weight / (total + weight)
            residual += share * (other - residual)
            agreement += share * (trust - agreement)
            total += weight
        }
    }

    private typealias Values = FollowedPoints.Values

    /// Lengths are in sides of the face's box.
    private enum Constant {
        /// The error at which a point counts as an outlier of the motion of the whole face; at least the median error.
        static let outlier: Float = 0.0035
        /// The same beyond that motion: features that have muscles, and skin; for skin at least this multiple of the
        /// median error of the points that move with the face, but at most the other value. A fast head is no plane that
        /// moves: most of its skin is that far off, and none of it is an outlier.
        static let feature: Float = 0.03
        static let skin: Float = 0.006
        static let skinSpread: Float = 2.5
        static let mostSkin: Float = 0.025
        /// The multiple of it from which a point belongs to something else.
        static let foreign: Float = 2
        /// Where a larger share of the points is foreign, the head may turn. It does if no more than this multiple of them is
        /// left when the turn is taken off.
        static let few: Float = 0.03
        static let turning: Float = 0.4
        /// Weights relative to that of a point of the skin: of a landmark's own flow, of two neighbours moving alike, and
        /// of nothing moving beyond the whole face.
        static let landmark: Float = 0.2
        static let stiffness: Float = 0.03
        static let rest: Float = 0.02
        static let iterations = 9
        /// The weight of the expected motion, relative to that of all points before any is judged, where something is in
        /// front of the face: what is left of it says little of its size and turn.
        static let expected: Float = 0.3
        /// How strongly the affine part of the motion is held back: see `AffineMotion`. It grows with the square of the noise.
        static let ridge: Float = 0.3
    }

    /// - Parameters:
    ///   - face: the landmarks in the frame of `patch`, in pixels.
    ///   - start: where flow starts to look for the points.
    ///   - expected: the motion if the face moves on as before.
    ///   - foreign: where something moved in front of the face until the frame before: points there count less.
    ///   - box: of the face.
    ///   - seconds: since the frame of `patch`.
    ///   - noise: of the pictures: 1 for a good camera.
    ///   - smallestCell: of the patch, in each of which a point is followed; its side in pixels of the patch.
    init(
        of face: Landmarks, from patch: FlowPatch, to next: FlowPatch, start: SimilarityTransform,
        expected: SimilarityTransform, foreign: ForeignPlaces, mesh: LandmarkMesh, box: OrientedBox, seconds: Float,
        noise: Float, smallestCell: Int
    ) {
        let side = box.side
        let followed = FollowedPoints(
            of: face, from: patch, to: next, start: start, mesh: mesh, smallestCell: smallestCell)
        let points = followed.before.span.extracting(first: followed.count)
        let moved = followed.after.span.extracting(first: followed.count)
        let residuals = followed.residuals.span.extracting(first: followed.count)
        var baseValues = Values<Float>(repeating: 0)
        var weightValues = Values<Float>(repeating: 0)
        let topology = Landmarks.topology
        // The jaw line has no texture along itself, and moves along the skin of a head that turns.
        var allBase = baseValues.mutableSpan
        func weight(_ index: Int) -> Float {
            index >= Landmarks.count ? 1 : topology.isOnJaw(index) ? 0 : Constant.landmark
        }
        var plain: Float = 0
        for index in points.indices where residuals[index] >= 0 {
            plain += weight(index)
            allBase[index] = weight(index) * (1 - foreign.share(at: points[index], on: box))
        }
        let base = baseValues.span.extracting(first: followed.count)
        var weights = weightValues.mutableSpan
        let fit = Self.robustFit(
            points, moved, base, expected: expected, side: side, ridge: Constant.ridge * noise * noise,
            prior: foreign.caution * Constant.expected * plain, weights: &weights)
        whole = fit.similarity
        var (everything, own) = (Following(), Following())
        for index in base.indices where base[index] > 0 {
            let trust = (weights[index] / base[index]).squareRoot()
            everything.add(residual: residuals[index], trust: trust, weight: weight(index))
            own.add(residual: residuals[index], trust: trust, weight: base[index])
        }
        (self.everything, self.own) = (everything, own)
        let skin = Self.tolerance(of: fit, points, moved, weights.span.extracting(first: followed.count), side: side)
        landmarks = Self.carried(
            face, with: fit, followed, weights: base, skin: skin, mesh: mesh, side: side, noise: noise)
        let observed = Self.observed(with: fit, followed, weights: base, skin: skin, mesh: mesh, box: box)
        disturbance = observed.share
        self.foreign = foreign.learning(observed, seconds: seconds)
    }

    /// Where the landmarks are carried by the motion of the whole face and by what the points move beyond it.
    /// - Parameters:
    ///   - weights: of the points.
    ///   - skin: see `tolerance`.
    private static func carried(
        _ face: Landmarks, with fit: AffineMotion, _ followed: borrowing FollowedPoints, weights: Span<Float>,
        skin: Float, mesh: LandmarkMesh, side: Float, noise: Float
    ) -> Landmarks {
        let (points, moved, places) = (followed.before.span, followed.after.span, followed.places.span)
        let topology = Landmarks.topology
        // The noisier the pictures, the less is known of what single points move beyond the whole face.
        let caution = noise * noise * noise
        var solver = MeshFit()
        for edge in mesh.edges { solver.tie(edge, weight: Constant.stiffness * caution) }
        for index in 0..<Landmarks.count { solver.hold(index, weight: Constant.rest * caution) }
        for index in weights.indices where weights[index] > 0 {
            let beyond = (moved[index] - fit(points[index])) / side
            let isFeature = index < Landmarks.count && topology.features.contains(index)
            let trusted = weights[index] * trust(beyond.length / (isFeature ? Constant.feature : skin))
            if index < Landmarks.count {
                solver.displace(index, by: beyond, weight: trusted)
            } else {
                solver.displace(places[index - Landmarks.count], by: beyond, weight: trusted)
            }
        }
        let displacements = solver.solve()
        return face.mappedWithIndex { index, point in fit(point) + side * displacements[index] }
    }

    /// Which of the skin's points are foreign. Parameters: see `carried`.
    private static func observed(
        with fit: AffineMotion, _ followed: borrowing FollowedPoints, weights: Span<Float>, skin: Float,
        mesh: LandmarkMesh, box: OrientedBox
    ) -> ForeignPlaces.Observation {
        let (points, moved, places) = (followed.before.span, followed.after.span, followed.places.span)
        let lips = Landmarks.topology.lips
        func observation(_ relief: ReliefMotion?) -> ForeignPlaces.Observation {
            var observed = ForeignPlaces.Observation()
            for index in Landmarks.count..<weights.count where weights[index] > 0 {
                let place = places[index - Landmarks.count]
                var beyond = (moved[index] - fit(points[index])) / box.side
                if let relief { beyond = beyond - relief(mesh.depth(of: place)) }
                observed.note(
                    points[index], on: box, isForeign: beyond.length > Constant.foreign * skin,
                    isNearMouth: place.triangle.touches(lips))
            }
            return observed
        }
        let plain = observation(nil)
        guard plain.share > Constant.few else { return plain }
        // A turn of the head explains most of it or nothing: some of what a hand moves looks like one, too.
        let turning = observation(
            ReliefMotion(of: fit, followed, weights: weights, tolerance: skin, mesh: mesh, side: box.side))
        return turning.share < Constant.turning * plain.share ? turning : plain
    }

    /// The error at which a point of the skin counts as an outlier, in sides of the face's box.
    /// - Parameter weights: of the points, those of outliers of the motion of the whole face lowered.
    private static func tolerance(
        of fit: AffineMotion, _ points: Span<Point>, _ moved: Span<Point>, _ weights: Span<Float>, side: Float
    ) -> Float {
        var values = Values<Float>(repeating: 0)
        var errors = values.mutableSpan
        for index in weights.indices where weights[index] > 0 {
            errors[index] = (moved[index] - fit(points[index])).length / side
        }
        return min(max(Constant.skin, Constant.skinSpread * median(errors.span, weights)), Constant.mostSkin)
    }

    /// The squared weight of Cauchy's estimator.
    static func trust(_ error: Float) -> Float {
        let weight = 1 / (1 + error * error)
        return weight * weight
    }

    /// The motion of the whole face, by iteratively reweighted least squares. The tolerance shrinks as the fit gets
    /// better, so that a fast motion, of which the first fit is poor, is found, too. It starts from the motion that is
    /// expected: of two motions that as many points follow, such as those of a face and of a hand in front of it, that
    /// is the face's.
    /// - Parameters:
    ///   - base: the weights of the points before outliers are judged.
    ///   - prior: the weight of the expected motion.
    ///   - weights: afterwards, with those of outliers lowered.
    private static func robustFit(
        _ points: Span<Point>, _ moved: Span<Point>, _ base: Span<Float>, expected: SimilarityTransform, side: Float,
        ridge: Float, prior: Float, weights: inout MutableSpan<Float>
    ) -> AffineMotion {
        var total: Float = 1e-6
        for index in base.indices { total += base[index] }
        let share = prior / (prior + total)
        var fit = AffineMotion(expected)
        var values = Values<Float>(repeating: 0)
        var errors = values.mutableSpan
        for _ in 0..<Constant.iterations {
            for index in base.indices where base[index] > 0 {
                errors[index] = (moved[index] - fit(points[index])).length / side
            }
            let tolerance = max(Constant.outlier, median(errors.span, base))
            for index in base.indices { weights[index] = base[index] * trust(errors[index] / tolerance) }
            fit = AffineMotion(fitting: points, to: moved, weights: weights.span, ridge: ridge)
            if prior > 0 { fit = fit.mixed(with: expected, share: share) }
        }
        return fit
    }

    /// The weighted median of errors between 0 and 0.25, by bisection.
    private static func median(_ errors: Span<Float>, _ weights: Span<Float>) -> Float {
        var total: Float = 0
        for index in weights.indices { total += weights[index] }
        var (low, high) = (Float(0), Float(0.25))
        for _ in 0..<10 {
            let middle = (low + high) / 2
            if sum(of: weights, whereBelow: middle, errors) < total / 2 { low = middle } else { high = middle }
        }
        return high
    }

    /// The sum of the weights of errors below a limit. It is needed a hundred times a frame: eight at once, and no branch
    /// depends on an error.
    private static func sum(of weights: Span<Float>, whereBelow limit: Float, _ errors: Span<Float>) -> Float {
        weights.withUnsafeBytes { weights in
            errors.withUnsafeBytes { errors in
                var sums = SIMD8<Float>.zero
                var offset = 0
                while offset + MemoryLayout<SIMD8<Float>>.size <= weights.count {
                    let error = errors.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    let weight = weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    sums += weight.replacing(with: 0, where: error .>= limit)
                    offset += MemoryLayout<SIMD8<Float>>.size
                }
                var sum = sums.sum()
                while offset < weights.count {
                    if errors.load(fromByteOffset: offset, as: Float.self) < limit {
                        sum += weights.load(fromByteOffset: offset, as: Float.self)
                    }
                    offset += MemoryLayout<Float>.size
                }
                return sum
            }
        }
    }
}

extension Triangle {
    /// Whether a corner is one of these landmarks.
    fileprivate func touches(_ landmarks: [Int]) -> Bool {
        landmarks.contains(a) || landmarks.contains(b) || landmarks.contains(c)
    }
}
