import FaceGeometry
import Glibc
import Hands
import Pixels

/// Detects the occluders of one face, from frame to frame: it learns the look of the face. A region that suddenly
/// differs and comes in over the outline is an occluder.
struct FaceOcclusion {
    private let texels: CanonicalTexels
    private var face = LearntFace()
    private var surroundings = FaceSurroundings()
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
    /// An occluder that stays longer belongs to the face: glasses that were put on, hair that fell.
    private static let adoption: Float = 5
    /// The same of a hand. What is taken for one for longer is rather skin, which would stay bare.
    private static let handAdoption: Float = 30
    /// Texels nearer to the outline than this belong to its sectors, in face widths.
    private static let rim: Float = 0.08
    /// Less of a face agrees with what has been seen before if it is another one.
    private static let leastAgreement: Float = 0.35
    /// Of a region that counts as an occluder, in texels.
    private static let fewestTexels = 30

    init(_ texels: CanonicalTexels) { self.texels = texels }

    /// Whether enough of the face has been seen for anything to be found before it.
    var isKnown: Bool { face.isKnown }
    /// Whether anything occludes the face.
    var isCovered: Bool { coverage.contains { $0 > 0.02 } }

    /// The scene has changed: forgets the occluders and keeps the look of the face.
    mutating func interrupt() {
        for index in coverage.indices { (coverage[index], ages[index]) = (0, 0) }
        (light, lastSeconds) = (nil, nil)
    }

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - vertices: of the instance's mesh, in pixels.
    ///   - hands: that networks have found and that may be in front of the face.
    /// - Returns: the hands that are.
    mutating func update(
        _ instance: FaceInstance, vertices: [Point], hands: [Hand], in picture: borrowing PixelBuffer,
        at seconds: Double, _ memory: inout OcclusionMemory
    ) -> [Hand] {
        let elapsed = lastSeconds.map { Float(seconds - $0) } ?? 0
        if elapsed < 0 || elapsed > Self.longestGap { interrupt() }
        let passed = lastSeconds == nil ? 0 : elapsed
        lastSeconds = seconds
        memory.reader.read(picture, vertices)
        let width = instance.width
        texels.outline.places(vertices, width: width, into: &memory.places)
        surroundings.read(picture, at: memory.places, width: width)
        defer { isNew = false }
        guard !face.isEmpty else {
            face.begin(memory.reader.colors, texels, instance)
            return hands
        }
        var novelty = face.novelty(of: instance)
        memory.wasCovered.removeAll(keepingCapacity: true)
        for covered in coverage { memory.wasCovered.append(covered > 0.5) }
        let hasObstacle = memory.wasCovered.count(where: { $0 }) > Self.fewestTexels
        // Landmarks near a hand are not exact: they are no reason to doubt what has been found.
        if hasObstacle { novelty.poseFactor = min(1.5, novelty.poseFactor) }
        face.variances(texels, novelty, into: &memory.variances)
        memory.weights.removeAll(keepingCapacity: true)
        for (place, texel) in texels.inside.enumerated() {
            memory.weights.append(texels.evidence[texel.index] * memory.reader.visibility[place])
        }
        guard findDifferences(hasObstacle: hasObstacle, &memory) else {
            face = LearntFace()
            face.begin(memory.reader.colors, texels, instance)
            return hands
        }
        surroundings.compare(light: light?.middle ?? .zero)
        weighEvidence(hasObstacle: hasObstacle, &memory)
        let hands = hands.filter { !showsItself(at: $0, vertices: vertices, memory) }
        if face.isKnown {
            memory.regions.find(surroundings, previous: memory.wasCovered, allowsNew: !novelty.isTurned)
        } else {
            memory.regions.clear()
        }
        let isAnyCovered = cover(memory.regions.covered, passed: passed)
        surroundings.learn(except: touchedSectors(memory.regions.covered), elapsed: elapsed)
        weighLearning(novelty, except: hands, vertices, &memory)
        face.learn(
            memory.differences, weights: memory.learning, texels, isAnyCovered ? nil : instance, elapsed: passed)
        return hands
    }

    /// Whether the face looks as always where a hand should be in front of it: then the hand is behind the head, or on a picture
    /// on the wall.
    private func showsItself(at hand: Hand, vertices: [Point], _ memory: borrowing OcclusionMemory) -> Bool {
        guard isKnown else { return false }
        var (like, count) = (0, 0)
        let box = hand.box
        for texel in texels.inside where memory.regions.evidence.weight[texel.index] > 0.3 {
            let place = texel.interpolate(vertices)
            guard box.contains(place), hand.contains(place) else { continue }
            count += 1
            if memory.regions.evidence.difference[texel.index] < Self.itself.difference { like += 1 }
        }
        return count >= Self.fewestTexels && Float(like) >= Self.itself.share * Float(count)
    }

    /// How little a texel differs that looks as always, in variances, and the share of such texels. Behind hands in front of a
    /// face it was 0.61 at most.
    private static let itself: (difference: Float, share: Float) = (1.2, 0.75)

    // MARK: Steps

    /// `memory.differences`: from the learnt face, without what the light makes of it.
    /// - Returns: false if this is not the face that was known before the first frame.
    private mutating func findDifferences(hasObstacle: Bool, _ memory: inout OcclusionMemory) -> Bool {
        memory.differences.removeAll(keepingCapacity: true)
        memory.samples.removeAll(keepingCapacity: true)
        for (place, texel) in texels.inside.enumerated() {
            let plain = memory.reader.colors[place] - face.mean[texel.index]
            memory.differences.append(plain)
            // Every fourth texel is enough.
            guard place % 4 == 0, memory.weights[place] > 0 else { continue }
            memory.samples.append(
                LightFit.Sample(
                    basis: texel.lightBasis, difference: plain, precision: 1 / memory.variances[place],
                    weight: memory.weights[place] * (1 - 0.9 * coverage[texel.index])))
        }
        var fit = LightFit.fit(memory.samples, start: nil, iterations: 3)
        if let light {
            // A large hand could pass for a change of light. The earlier light explains more then.
            let continued = LightFit.fit(memory.samples, start: light, iterations: 2)
            if continued.agreement(memory.samples) > fit.agreement(memory.samples) - (hasObstacle ? 0.35 : 0.2) {
                fit = continued
            }
        }
        if isNew, fit.agreement(memory.samples) < Self.leastAgreement { return false }
        light = fit
        for (place, texel) in texels.inside.enumerated() { memory.differences[place] -= fit.value(texel.lightBasis) }
        return true
    }

    /// `memory.regions.evidence`.
    private func weighEvidence(hasObstacle: Bool, _ memory: inout OcclusionMemory) {
        memory.squares.removeAll(keepingCapacity: true)
        for place in memory.differences.indices {
            let difference = memory.differences[place]
            memory.squares.append((difference * difference / memory.variances[place]).sum())
        }
        var typical = Self.typicalSquare(memory.squares, memory.weights)
        if hasObstacle { typical = min(0.45, typical) }
        // Where all of the face differs, its landmarks are not exact, or it is blurred.
        // At first, variances are mostly guesses, and too wide.
        let scale = 1 / max(0.4 + 0.5 * (face.seconds / 10).limitedToUnit, typical / 0.3)
        memory.sums.removeAll(keepingCapacity: true)
        for _ in 0..<CanonicalTexels.count { memory.sums.append(.zero) }
        for (place, texel) in texels.inside.enumerated() {
            let weight = memory.weights[place]
            memory.sums[texel.index] = SIMD2(weight * min(30, scale * memory.squares[place]), weight)
            memory.regions.evidence.weight[texel.index] = weight
            memory.regions.evidence.colors[texel.index] = memory.reader.colors[place]
            memory.regions.evidence.shadow[texel.index] =
                Self.isShadow(memory.differences[place], memory.variances[place]) ? 1 : 0
        }
        TexelGrid.blur(&memory.sums, &memory.grid)
        memory.regions.evidence.difference.removeAll(keepingCapacity: true)
        for sum in memory.sums { memory.regions.evidence.difference.append(sum.x / max(sum.y, 0.05)) }
    }

    /// - Parameters:
    ///   - difference: from the learnt face; see `SkinColors`.
    ///   - variance: of the learnt face.
    private static func isShadow(_ difference: SIMD4<Float>, _ variance: SIMD4<Float>) -> Bool {
        guard difference.x < 0, difference.y > 0, difference.z < 0 else { return false }
        let squares = difference * difference / variance
        return squares.y + squares.z > shadowColor * (squares.x + squares.y + squares.z)
    }

    /// The least share of the ratios of colours in the difference of a shadow: light that shines through hands is red.
    private static let shadowColor: Float = 0.3

    /// Twice the value that three tenths of the texels are below: a hand over half of the face does not change it.
    private static func typicalSquare(_ squares: [Float], _ weights: [Float]) -> Float {
        var counts = InlineArray<512, Int>(repeating: 0)
        var total = 0
        for (square, weight) in zip(squares, weights) where weight > 0.3 {
            counts[Int(max(0, min(511, square * 64)))] += 1
            total += 1
        }
        guard total > 0 else { return 9 }
        var below = 0
        for bin in counts.indices {
            below += counts[bin]
            if 10 * below > 3 * total { return 2 * (Float(bin) + 0.5) / 64 }
        }
        return 16
    }

    /// Coverage comes and goes.
    /// - Returns: whether anything is covered.
    private mutating func cover(_ covered: [Bool], passed: Float) -> Bool {
        let (rise, fall) = (isNew ? 1 : 1 - expf(-passed / Self.rise), expf(-passed / Self.fall))
        var isAny = false
        for index in covered.indices {
            coverage[index] = covered[index] ? coverage[index] + rise * (1 - coverage[index]) : coverage[index] * fall
            ages[index] = coverage[index] > 0.5 ? ages[index] + passed : 0
            if covered[index] { isAny = true }
        }
        return isAny
    }

    /// The sectors at whose rim something is covered.
    private func touchedSectors(_ covered: [Bool]) -> PerSector<Bool> {
        var sectors = PerSector(repeating: false)
        for index in covered.indices where covered[index] && texels.depth[index] < Self.rim {
            sectors[texels.sector[index]] = true
        }
        return sectors
    }

    /// `memory.learning`: how much is learnt from each texel inside the mesh, 0…1.
    private func weighLearning(
        _ novelty: Novelty, except hands: [Hand], _ vertices: [Point], _ memory: inout OcclusionMemory
    ) {
        memory.far.removeAll(keepingCapacity: true)
        for index in coverage.indices { memory.far.append(coverage[index] > 0.5 && ages[index] < Self.adoption) }
        TexelGrid.dilate(memory.far, into: &memory.near)
        TexelGrid.dilate(memory.near, into: &memory.far)
        leaveOut(hands, vertices, &memory)
        // What differs a little may be the beginning of something.
        memory.near.removeAll(keepingCapacity: true)
        for difference in memory.regions.evidence.difference { memory.near.append(difference > 1.5) }
        TexelGrid.dilate(memory.near, into: &memory.doubtful)
        memory.learning.removeAll(keepingCapacity: true)
        for (place, texel) in texels.inside.enumerated() {
            let weight = memory.far[texel.index] ? 0 : memory.reader.visibility[place] / novelty.poseFactor
            memory.learning.append(isKnown && memory.doubtful[texel.index] ? 0.25 * weight : weight)
        }
    }

    /// A hand may rest for long, and would look like the face if it were learnt.
    private func leaveOut(_ hands: [Hand], _ vertices: [Point], _ memory: inout OcclusionMemory) {
        guard !hands.isEmpty else { return }
        for index in memory.near.indices { memory.near[index] = false }
        for hand in hands {
            let box = hand.box
            for texel in texels.inside {
                let place = texel.interpolate(vertices)
                if box.contains(place), hand.contains(place) { memory.near[texel.index] = true }
            }
        }
        TexelGrid.dilate(memory.near, into: &memory.doubtful)
        for index in memory.far.indices where memory.doubtful[index] && ages[index] < Self.handAdoption {
            memory.far[index] = true
        }
    }
}

/// What the faces of a stream need while they are looked at, one after the other: memory, which is kept from frame to frame, so
/// that a frame allocates nothing.
struct OcclusionMemory {
    var reader: TexelReader
    var regions: OcclusionRegions
    /// Outside the outline.
    var places: [Point] = []

    // MARK: Of the texels inside the mesh, in their order

    var variances: [SIMD4<Float>] = []
    var weights: [Float] = []
    var differences: [SIMD4<Float>] = []
    var samples: [LightFit.Sample] = []
    var squares: [Float] = []
    var learning: [Float] = []

    // MARK: One value for each texel of the grid

    var wasCovered: [Bool] = []
    /// Differences with their weights.
    var sums: [SIMD2<Float>] = []
    /// Up to two texels from an obstacle, and up to one.
    var (far, near): ([Bool], [Bool]) = ([], [])
    var doubtful: [Bool] = []
    var grid = TexelGrid.Memory()

    init(_ texels: CanonicalTexels) { (reader, regions) = (TexelReader(texels), OcclusionRegions(texels)) }
}
