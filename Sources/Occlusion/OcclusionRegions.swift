/// Which texels of a face are covered by something before it.
struct OcclusionRegions {
    let texels: CanonicalTexels
    /// Have been read in this frame.
    let surroundings: FaceSurroundings

    /// What texels differ by from the learnt face, in variances; the values are means about each texel.
    struct Evidence {
        var difference: [Float]
        /// How much each says, 0…1.
        var weight: [Float]
        /// Of the picture.
        var colors: [SIMD4<Float>]
    }

    /// A region may consist of texels that differ so much.
    private static let least: Float = 3
    /// Where something was in the frame before, this is enough.
    private static let leastStaying: Float = 2
    /// A new region has so many texels that differ so much.
    private static let sure: (difference: Float, texels: Int) = (6, 10)
    private static let fewestTexels = 25
    /// What comes before a face comes in over its outline: so many texels of a region are so near to it, in face widths.
    static let rim: (depth: Float, texels: Int) = (0.042, 5)

    /// - Parameters:
    ///   - previous: what was covered in the frame before.
    ///   - allowsNew: whether regions may begin.
    func covered(_ evidence: Evidence, previous: [Bool], allowsNew: Bool) -> [Bool] {
        let (difference, weight) = (evidence.difference, evidence.weight)
        let candidates = difference.indices.map { index in
            difference[index] > Self.least && weight[index] > 0.1
                || previous[index] && difference[index] > Self.leastStaying
        }
        var result = [Bool](repeating: false, count: candidates.count)
        for region in TexelGrid.regions(candidates) {
            let sure = region.count { difference[$0] > Self.sure.difference && weight[$0] > 0.5 }
            let rim = region.count { texels.depth[$0] < Self.rim.depth }
            let before = region.count { previous[$0] }
            let stays = 5 * before > region.count && sure >= 4 && rim >= Self.rim.texels - 1
            let isNew =
                allowsNew && sure >= Self.sure.texels && region.count >= Self.fewestTexels && rim >= Self.rim.texels
            guard stays || isNew else { continue }
            if surroundings.letIn(inside(region, evidence), isThere: stays) {
                for index in region { result[index] = true }
            }
        }
        guard result.count(where: \.self) >= 30 else { return result }
        return TexelGrid.closed(grownByColor(result, evidence))
    }

    /// The colour of a region just inside the outline, for each sector that it touches.
    private func inside(_ region: [Int], _ evidence: Evidence) -> [Int: SIMD4<Float>] {
        var sums: [Int: SIMD4<Float>] = [:]
        // The last component counts.
        for index in region where texels.depth[index] < Self.rim.depth {
            var color = evidence.colors[index]
            color.w = 1
            sums[texels.sector[index], default: .zero] += color
        }
        let count = FaceOutline.sectorCount
        return Dictionary(
            uniqueKeysWithValues: sums.keys.map { sector in
                let near = [sector + count - 1, sector, sector + 1].map { sums[$0 % count] ?? .zero }
                let sum = near[0] + near[1] + near[2]
                var color = sum / sum.w
                color.w = 0
                return (sector, color)
            })
    }

    /// Grows into texels of the colours of what has been found, even if they differ little from the face.
    private func grownByColor(_ covered: [Bool], _ evidence: Evidence) -> [Bool] {
        var (sum, squares, count) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0))
        for index in covered.indices where covered[index] {
            sum += evidence.colors[index]
            squares += evidence.colors[index] * evidence.colors[index]
            count += 1
        }
        let mean = sum / count
        let variance = (squares / count - mean * mean).clamped(
            lowerBound: SIMD4(repeating: 0.0036), upperBound: SIMD4(repeating: .infinity))
        let allowed = covered.indices.map { index in
            if covered[index] { return true }
            guard evidence.difference[index] > 1.2, evidence.weight[index] > 0.02 else { return false }
            let distance = evidence.colors[index] - mean
            return (distance * distance / variance).sum() < 6
        }
        return TexelGrid.grown(covered, into: allowed)
    }
}
