/// Finds the texels of a face that occluders cover. It holds memory that is kept from frame to frame, and
/// nothing that one frame knows of another.
struct OcclusionRegions {
    let texels: CanonicalTexels
    var evidence = Evidence()
    /// Of each texel.
    private(set) var covered: [Bool] = []
    private var candidates: [Bool] = []
    private var allowed: [Bool] = []
    private var memory = TexelGrid.Memory()

    init(_ texels: CanonicalTexels) { self.texels = texels }

    /// The difference of texels from the learnt face, in variances; the values are means about each texel.
    struct Evidence {
        var difference: [Float] = []
        /// How much each says, 0…1.
        var weight = [Float](repeating: 0, count: CanonicalTexels.count)
        /// 1: darker, redder and less blue than the learnt face, as skin in the shadow of a hand is; otherwise 0.
        var shadow = [Float](repeating: 0, count: CanonicalTexels.count)
        /// Of the picture.
        var colors = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count)
    }

    /// A region may consist of texels that differ so much.
    private static let least: Float = 3
    /// Where something was in the frame before, this is enough.
    private static let leastStaying: Float = 2
    /// A new region has so many texels that differ so much.
    private static let sure: (difference: Float, texels: Int) = (6, 10)
    private static let fewestTexels = 25
    /// Occluders come in over the outline of the face: this many texels of a region are this near to it, in face
    /// widths.
    static let rim: (depth: Float, texels: Int) = (0.042, 5)

    /// Nothing is covered.
    mutating func clear() {
        covered.removeAll(keepingCapacity: true)
        for _ in 0..<CanonicalTexels.count { covered.append(false) }
    }

    /// Finds what is covered, by `evidence`.
    /// - Parameters:
    ///   - surroundings: have been read in this frame.
    ///   - previous: the covered texels of the previous frame.
    ///   - allowsNew: whether regions may begin.
    mutating func find(_ surroundings: FaceSurroundings, previous: [Bool], allowsNew: Bool) {
        clear()
        candidates.removeAll(keepingCapacity: true)
        for index in evidence.difference.indices {
            candidates.append(
                evidence.difference[index] > Self.least && evidence.weight[index] > 0.1
                    || previous[index] && evidence.difference[index] > Self.leastStaying)
        }
        Self.addRegions(
            of: &candidates, &memory, to: &covered, evidence, texels, surroundings, previous: previous,
            allowsNew: allowsNew)
        guard covered.count(where: { $0 }) >= 30 else { return }
        growByColor()
        TexelGrid.close(&covered, &memory)
    }

    /// Adds the regions of candidates that are occluders to the covered texels.
    private static func addRegions(
        of candidates: inout [Bool], _ memory: inout TexelGrid.Memory, to covered: inout [Bool], _ evidence: Evidence,
        _ texels: CanonicalTexels, _ surroundings: FaceSurroundings, previous: [Bool], allowsNew: Bool
    ) {
        TexelGrid.forEachRegion(&candidates, &memory) { region in
            var (sure, rim, before) = (0, 0, 0)
            for index in region {
                if evidence.difference[index] > Self.sure.difference && evidence.weight[index] > 0.5 { sure += 1 }
                if texels.depth[index] < Self.rim.depth { rim += 1 }
                if previous[index] { before += 1 }
            }
            let stays = 5 * before > region.count && sure >= 4 && rim >= Self.rim.texels - 1
            let isNew =
                allowsNew && sure >= Self.sure.texels && region.count >= Self.fewestTexels && rim >= Self.rim.texels
            guard stays || isNew else { return }
            if surroundings.letIn(inside(region, evidence, texels), isThere: stays) {
                for index in region { covered[index] = true }
            }
        }
    }

    /// The colour of a region just inside the outline, for each sector that it touches.
    private static func inside(
        _ region: UnsafeBufferPointer<Int>, _ evidence: Evidence, _ texels: CanonicalTexels
    ) -> PerSector<SIMD4<Float>?> {
        // The last component counts.
        var sums = PerSector(repeating: SIMD4<Float>.zero)
        for index in region where texels.depth[index] < rim.depth {
            var color = evidence.colors[index]
            color.w = 1
            sums[texels.sector[index]] += color
        }
        let count = FaceOutline.sectorCount
        var inside = PerSector<SIMD4<Float>?>(repeating: nil)
        for sector in sums.indices where sums[sector].w > 0 {
            let sum = sums[(sector + count - 1) % count] + sums[sector] + sums[(sector + 1) % count]
            var color = sum / sum.w
            color.w = 0
            inside[sector] = color
        }
        return inside
    }

    /// Grows into texels of the colours of what has been found, even if they differ little from the face.
    private mutating func growByColor() {
        var (sum, squares, count) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0))
        for index in covered.indices where covered[index] {
            sum += evidence.colors[index]
            squares += evidence.colors[index] * evidence.colors[index]
            count += 1
        }
        let mean = sum / count
        let variance = (squares / count - mean * mean).clamped(
            lowerBound: SIMD4(repeating: 0.0036), upperBound: SIMD4(repeating: .infinity))
        allowed.removeAll(keepingCapacity: true)
        for index in covered.indices {
            let distance = evidence.colors[index] - mean
            let isAlike = (distance * distance / variance).sum() < 6
            allowed.append(
                covered[index] || evidence.difference[index] > 1.2 && evidence.weight[index] > 0.02 && isAlike)
        }
        TexelGrid.grow(&covered, into: allowed, &memory)
    }
}
