import FaceGeometry
import Glibc
import Pixels

/// Finds what is before one face, from frame to frame: it learns how the face looks, and what suddenly differs and comes in
/// over its outline lies before it.
struct FaceOcclusion {
    private let texels: CanonicalTexels
    private var reader: TexelReader
    private var face: LearntFace
    private var surroundings: FaceSurroundings
    private var light: LightFit?
    /// How far each texel is covered, 0…1.
    private(set) var coverage = [Float](repeating: 0, count: CanonicalTexels.count)
    /// For how long each texel has been covered, in seconds.
    private var ages = [Float](repeating: 0, count: CanonicalTexels.count)
    private var lastSeconds: Double?
    /// Whether no frame has been seen yet.
    private var isNew = true

    /// With a longer gap between two frames, nothing is covered at first.
    private static let longestGap: Float = 0.5
    /// In which coverage comes and goes, in seconds.
    private static let (rise, fall): (Float, Float) = (0.036, 0.048)
    /// What stays longer belongs to the face: glasses that were put on, hair that fell.
    private static let adoption: Float = 5
    /// Texels nearer to the outline than this belong to its sectors, in face widths.
    private static let rim: Float = 0.08
    /// Less of a face agrees with what has been seen before if it is another one.
    private static let leastAgreement: Float = 0.35
    /// Of a region that counts as something before the face, in texels.
    private static let fewestTexels = 30

    /// - Parameter known: how the face looks, as far as that has been seen.
    init(_ texels: CanonicalTexels, known: KnownFace) {
        self.texels = texels
        reader = TexelReader(texels)
        (face, surroundings) = (known.face, known.surroundings)
    }

    /// Whether enough of the face has been seen for anything to be found before it.
    var isKnown: Bool { face.isKnown }
    /// Whether anything is before the face.
    var isCovered: Bool { coverage.contains { $0 > 0.02 } }

    /// Something else is shown: nothing is before the face; how it looks is kept.
    mutating func interrupt() {
        for index in coverage.indices { (coverage[index], ages[index]) = (0, 0) }
        (light, lastSeconds) = (nil, nil)
    }

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - vertices: of the instance's mesh, in pixels.
    mutating func update(
        _ instance: FaceInstance, vertices: [Point], in picture: borrowing PixelBuffer, at seconds: Double
    ) {
        let elapsed = lastSeconds.map { Float(seconds - $0) } ?? 0
        if elapsed < 0 || elapsed > Self.longestGap { interrupt() }
        let passed = lastSeconds == nil ? 0 : elapsed
        lastSeconds = seconds
        reader.read(picture, vertices)
        let visibility = reader.visibility
        let width = instance.width
        surroundings.read(picture, at: texels.outline.places(vertices, width: width), width: width)
        defer { isNew = false }
        guard !face.isEmpty else { return face.begin(reader.colors, texels, instance) }
        var novelty = face.novelty(of: instance)
        let wasCovered = coverage.map { $0 > 0.5 }
        let hasObstacle = wasCovered.count(where: \.self) > Self.fewestTexels
        // Landmarks near a hand are not exact: they are no reason to doubt what has been found.
        if hasObstacle { novelty.poseFactor = min(1.5, novelty.poseFactor) }
        let variances = face.variances(texels, novelty)
        let weights = texels.inside.enumerated().map { texels.evidence[$1.index] * visibility[$0] }
        guard let differences = differences(variances, weights, hasObstacle: hasObstacle) else {
            face = LearntFace()
            return face.begin(reader.colors, texels, instance)
        }
        surroundings.compare(light: light?.middle ?? .zero)
        let evidence = evidence(differences, variances, weights, hasObstacle: hasObstacle)
        var covered = [Bool](repeating: false, count: coverage.count)
        if face.isKnown {
            covered = OcclusionRegions(texels: texels, surroundings: surroundings).covered(
                evidence, previous: wasCovered, allowsNew: !novelty.isTurned)
        }
        let (rise, fall) = (isNew ? 1 : 1 - expf(-passed / Self.rise), expf(-passed / Self.fall))
        for index in covered.indices {
            coverage[index] = covered[index] ? coverage[index] + rise * (1 - coverage[index]) : coverage[index] * fall
            ages[index] = coverage[index] > 0.5 ? ages[index] + passed : 0
        }
        let sectors = Set(
            covered.indices.filter { covered[$0] && texels.depth[$0] < Self.rim }.map { texels.sector[$0] })
        surroundings.learn(except: sectors, elapsed: elapsed)
        let learning = learningWeights(evidence, visibility, novelty)
        face.learn(
            differences, weights: learning, texels, covered.contains(true) ? nil : instance, elapsed: passed)
    }

    // MARK: Steps

    /// From the learnt face, without what the light makes of it.
    /// - Returns: nil if this is not the face that was known before the first frame.
    private mutating func differences(
        _ variances: [SIMD4<Float>], _ weights: [Float], hasObstacle: Bool
    ) -> [SIMD4<Float>]? {
        let plain = texels.inside.enumerated().map { reader.colors[$0] - face.mean[$1.index] }
        var samples: [LightFit.Sample] = []
        samples.reserveCapacity(plain.count / 2 + 1)
        // Every other texel is enough.
        for place in stride(from: 0, to: plain.count, by: 2) where weights[place] > 0 {
            let texel = texels.inside[place]
            samples.append(
                LightFit.Sample(
                    basis: texel.lightBasis, difference: plain[place], precision: 1 / variances[place],
                    weight: weights[place] * (1 - 0.9 * coverage[texel.index])))
        }
        var fit = LightFit.fit(samples, start: nil, iterations: 3)
        if let light {
            // A large hand could pass for a change of light. What the light was before explains more then.
            let continued = LightFit.fit(samples, start: light, iterations: 2)
            if continued.agreement(samples) > fit.agreement(samples) - (hasObstacle ? 0.35 : 0.2) { fit = continued }
        }
        if isNew, fit.agreement(samples) < Self.leastAgreement { return nil }
        light = fit
        return texels.inside.enumerated().map { plain[$0] - fit.value($1.lightBasis) }
    }

    private func evidence(
        _ differences: [SIMD4<Float>], _ variances: [SIMD4<Float>], _ weights: [Float], hasObstacle: Bool
    ) -> OcclusionRegions.Evidence {
        let squares = zip(differences, variances).map { ($0 * $0 / $1).sum() }
        var typical = typicalSquare(squares, weights)
        if hasObstacle { typical = min(0.45, typical) }
        // Where all of the face differs, its landmarks are not exact, or it is blurred.
        // At first, variances are mostly guesses, and too wide.
        let scale = 1 / max(0.4 + 0.5 * (face.seconds / 10).limitedToUnit, typical / 0.3)
        var sums = [SIMD2<Float>](repeating: .zero, count: CanonicalTexels.count)
        var grid = OcclusionRegions.Evidence(
            difference: [], weight: [Float](repeating: 0, count: sums.count),
            colors: [SIMD4<Float>](repeating: .zero, count: sums.count))
        for (place, texel) in texels.inside.enumerated() {
            sums[texel.index] = SIMD2(weights[place] * min(30, scale * squares[place]), weights[place])
            grid.weight[texel.index] = weights[place]
            grid.colors[texel.index] = reader.colors[place]
        }
        grid.difference = TexelGrid.blurred(sums).map { $0.x / max($0.y, 0.05) }
        return grid
    }

    /// Twice the value that three tenths of the texels are below: a hand over half of the face does not change it.
    private func typicalSquare(_ squares: [Float], _ weights: [Float]) -> Float {
        var counts = [Int](repeating: 0, count: 512)
        var total = 0
        for (square, weight) in zip(squares, weights) where weight > 0.3 {
            counts[Int(max(0, min(511, square * 64)))] += 1
            total += 1
        }
        guard total > 0 else { return 9 }
        var below = 0
        for (bin, count) in counts.enumerated() {
            below += count
            if 10 * below > 3 * total { return 2 * (Float(bin) + 0.5) / 64 }
        }
        return 16
    }

    /// How much is learnt from each texel inside the mesh, 0…1.
    private func learningWeights(
        _ evidence: OcclusionRegions.Evidence, _ visibility: [Float], _ novelty: Novelty
    ) -> [Float] {
        let isObstacle = coverage.indices.map { coverage[$0] > 0.5 && ages[$0] < Self.adoption }
        let near = TexelGrid.dilated(TexelGrid.dilated(isObstacle))
        // What differs a little may be the beginning of something.
        var doubtful = evidence.difference.map { $0 > 1.5 }
        if isKnown { doubtful = TexelGrid.dilated(doubtful) }
        return texels.inside.enumerated().map { place, texel in
            guard !near[texel.index] else { return 0 }
            let weight = visibility[place] / novelty.poseFactor
            return isKnown && doubtful[texel.index] ? 0.25 * weight : weight
        }
    }
}
