/// Which texels of a face are covered by something before it.
struct OcclusionRegions {
    let texels: CanonicalTexels

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
    private static let sure: (difference: Float, texels: Int) = (6, 15)
    private static let fewestTexels = 40
    /// What comes before a face comes in over its outline: so many texels of a region are so near to it, in face widths.
    private static let rim: (depth: Float, texels: Int) = (0.042, 5)

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
            if stays || isNew { for index in region { result[index] = true } }
        }
        guard result.count(where: \.self) >= 60 else { return result }
        return TexelGrid.closed(grownByColor(result, evidence))
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
