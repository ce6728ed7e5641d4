/// Operations on grids of `CanonicalTexels`: one value for each texel, row by row.
package enum TexelGrid {
    package static let width = CanonicalTexels.width
    package static let height = CanonicalTexels.height

    /// A Gaussian of σ = 1 texel; beyond the border there is nothing.
    static func blurred(_ values: [SIMD2<Float>]) -> [SIMD2<Float>] {
        let weights: [Float] = [0.4026, 0.2442, 0.0545]
        func pass(_ values: [SIMD2<Float>], step: Int, position: (Int) -> Int, length: Int) -> [SIMD2<Float>] {
            values.indices.map { index in
                let place = position(index)
                var sum = weights[0] * values[index]
                for distance in 1...2 {
                    if place >= distance { sum += weights[distance] * values[index - distance * step] }
                    if place + distance < length { sum += weights[distance] * values[index + distance * step] }
                }
                return sum
            }
        }
        let across = pass(values, step: 1, position: { $0 % width }, length: width)
        return pass(across, step: width, position: { $0 / width }, length: height)
    }

    /// The indices of a texel's neighbours: four, or eight with the diagonal ones.
    @inline(__always)
    static func forEachNeighbour(
        of index: Int, width: Int = width, height: Int = height, diagonal: Bool, _ body: (Int) -> Void
    ) {
        let (x, y) = (index % width, index / width)
        for dy in -1...1 where y + dy >= 0 && y + dy < height {
            for dx in -1...1 where x + dx >= 0 && x + dx < width {
                if dx == 0 && dy == 0 || !diagonal && dx != 0 && dy != 0 { continue }
                body(index + dy * width + dx)
            }
        }
    }

    /// Grows what is set by one texel in the four directions.
    static func dilated(_ mask: [Bool]) -> [Bool] {
        var result = mask
        for index in mask.indices where mask[index] {
            forEachNeighbour(of: index, diagonal: false) { result[$0] = true }
        }
        return result
    }

    /// Grows from what is set into what is allowed, as far as it is connected.
    static func grown(_ seeds: [Bool], into allowed: [Bool]) -> [Bool] {
        var result = seeds
        var open = seeds.indices.filter { seeds[$0] }
        while let index = open.popLast() {
            forEachNeighbour(of: index, diagonal: false) { next in
                if allowed[next], !result[next] {
                    result[next] = true
                    open.append(next)
                }
            }
        }
        return result
    }

    /// Closes gaps of a texel, and holes.
    package static func closed(_ mask: [Bool]) -> [Bool] {
        let wide = dilated(mask)
        let outside = dilated(wide.map { !$0 })
        var closed = mask
        for index in mask.indices where wide[index] && !outside[index] { closed[index] = true }
        let free = closed.map { !$0 }
        var border = [Bool](repeating: false, count: mask.count)
        for index in mask.indices {
            let (x, y) = (index % width, index / width)
            if free[index], x == 0 || y == 0 || x == width - 1 || y == height - 1 { border[index] = true }
        }
        return grown(border, into: free).map { !$0 }
    }

    /// Connected regions of what is set, with diagonal neighbours.
    /// - Parameter width: of a row, for another grid.
    package static func regions(_ mask: [Bool], width: Int = width) -> [[Int]] {
        let height = mask.count / width
        var isFree = mask
        var regions: [[Int]] = []
        for index in mask.indices where isFree[index] {
            isFree[index] = false
            var region = [index]
            var next = 0
            while next < region.count {
                forEachNeighbour(of: region[next], width: width, height: height, diagonal: true) { neighbour in
                    if isFree[neighbour] {
                        isFree[neighbour] = false
                        region.append(neighbour)
                    }
                }
                next += 1
            }
            regions.append(region)
        }
        return regions
    }
}
