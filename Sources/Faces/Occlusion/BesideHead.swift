import FaceGeometry

/// Where the mesh of a face reaches beyond the head: on the far side of a turned head, at the jaw of a lean face. The person
/// ends there, and the mask should, too.
struct BesideHead {
    /// From the outline of the mesh, in face widths. On parts that are turned aside, the mesh may be off by more.
    private static let depth: Float = 0.14
    /// Texels that are turned farther aside than this count as turned aside, and those up to `reach` texels from them.
    private static let (leastVisibility, reach): (Float, Int) = (0.5, 3)
    /// What the network says at most of a place beside the head, 0…1.
    private static let mostOfPerson: Float = 0.5
    /// The mean of what it says of the rest of the face; below, it is wrong.
    private static let leastInside: Float = 0.85
    /// Of a face's texels: beyond, the network is wrong, or the face is somewhere else.
    private static let mostBeside: Float = 0.2
    /// Half of an edge's width, in what the network says.
    private static let softness: Float = 0.25

    /// - Parameters:
    ///   - reader: has read the face.
    ///   - vertices: of the mesh, in pixels.
    /// - Returns: how far each texel of the grid shows something beside the head, 0…1; nil: none does.
    static func coverage(_ texels: CanonicalTexels, _ reader: TexelReader, _ person: PersonArea, _ vertices: [Point])
        -> [Float]?
    {
        var values = [Float](repeating: 1, count: CanonicalTexels.count)
        var isTurned = [Bool](repeating: false, count: CanonicalTexels.count)
        for (place, texel) in texels.inside.enumerated() {
            values[texel.index] = person.value(at: texel.interpolate(vertices))
            isTurned[texel.index] = reader.visibility[place] < leastVisibility
        }
        for _ in 0..<reach { isTurned = TexelGrid.dilated(isTurned) }
        let isFree = values.indices.map { values[$0] < mostOfPerson && texels.depth[$0] > 0 }
        let allowed = isFree.indices.map { isFree[$0] && (isTurned[$0] || texels.depth[$0] < depth) }
        let seeds = allowed.indices.map { allowed[$0] && texels.depth[$0] < HairTexels.rimDepth }
        let beside = TexelGrid.grown(seeds, into: allowed)
        let count = beside.count { $0 }
        guard count > 0, Float(count) < mostBeside * Float(texels.inside.count) else { return nil }
        var (sum, others) = (Float(0), Float(0))
        for texel in texels.inside where texels.depth[texel.index] > depth && !beside[texel.index] {
            sum += values[texel.index]
            others += 1
        }
        guard sum > leastInside * others else { return nil }
        // The edge lies between texels that are beside and those next to them; nothing changes farther inside.
        let near = TexelGrid.dilated(TexelGrid.dilated(beside))
        var coverage = values.indices.map { index -> Float in
            guard near[index], texels.depth[index] > 0 else { return 0 }
            return ((mostOfPerson - values[index]) / (2 * softness) + 0.5).limitedToUnit
        }
        // Beyond the outline, so that the matte does not fade there.
        for _ in 0..<2 {
            let inner = coverage
            for index in coverage.indices where texels.depth[index] == 0 {
                TexelGrid.forEachNeighbour(of: index, diagonal: false) {
                    coverage[index] = max(coverage[index], inner[$0])
                }
            }
        }
        return coverage
    }
}
