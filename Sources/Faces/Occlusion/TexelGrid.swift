/// Operations on grids of `CanonicalTexels`: one value for each texel, row by row.
package enum TexelGrid {
    package static let width = CanonicalTexels.width
    package static let height = CanonicalTexels.height

    /// Memory that operations share. It is kept from one to the next.
    package struct Memory {
        fileprivate var (first, second, third): ([Bool], [Bool], [Bool]) = ([], [], [])
        fileprivate var open: [Int] = []
        fileprivate var across: [SIMD2<Float>] = []

        package init() {}
    }

    /// Replaces values by a Gaussian of σ = 1 texel of them; beyond the border there is nothing.
    static func blur(_ values: inout [SIMD2<Float>], _ memory: inout Memory) {
        blurLines(values, into: &memory.across, step: 1, length: width)
        blurLines(memory.across, into: &values, step: width, length: height)
    }

    /// - Parameters:
    ///   - step: from a texel to the next one of its line.
    ///   - length: of the lines.
    private static func blurLines(
        _ values: [SIMD2<Float>], into result: inout [SIMD2<Float>], step: Int, length: Int
    ) {
        let weights = SIMD3<Float>(0.4026, 0.2442, 0.0545)
        result.removeAll(keepingCapacity: true)
        for index in values.indices {
            let place = index / step % length
            var sum = weights[0] * values[index]
            for distance in 1...2 {
                if place >= distance { sum += weights[distance] * values[index - distance * step] }
                if place + distance < length { sum += weights[distance] * values[index + distance * step] }
            }
            result.append(sum)
        }
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
        var result: [Bool] = []
        dilate(mask, into: &result)
        return result
    }

    static func dilate(_ mask: [Bool], into result: inout [Bool]) {
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: mask)
        for index in mask.indices where mask[index] {
            forEachNeighbour(of: index, diagonal: false) { result[$0] = true }
        }
    }

    /// Grows from what is set into what is allowed, as far as it is connected.
    static func grown(_ seeds: [Bool], into allowed: [Bool]) -> [Bool] {
        var (result, memory) = (seeds, Memory())
        grow(&result, into: allowed, &memory)
        return result
    }

    static func grow(_ mask: inout [Bool], into allowed: [Bool], _ memory: inout Memory) {
        grow(&mask, into: allowed, &memory.open)
    }

    private static func grow(_ mask: inout [Bool], into allowed: [Bool], _ open: inout [Int]) {
        open.removeAll(keepingCapacity: true)
        for index in mask.indices where mask[index] { open.append(index) }
        while let index = open.popLast() {
            forEachNeighbour(of: index, diagonal: false) { next in
                if allowed[next], !mask[next] {
                    mask[next] = true
                    open.append(next)
                }
            }
        }
    }

    /// Closes gaps of a texel, and holes.
    package static func closed(_ mask: [Bool]) -> [Bool] {
        var (result, memory) = (mask, Memory())
        close(&result, &memory)
        return result
    }

    static func close(_ mask: inout [Bool], _ memory: inout Memory) {
        // What is wide, what is outside of that, and what is near the outside.
        dilate(mask, into: &memory.first)
        memory.second.removeAll(keepingCapacity: true)
        for isWide in memory.first { memory.second.append(!isWide) }
        dilate(memory.second, into: &memory.third)
        for index in mask.indices where memory.first[index] && !memory.third[index] { mask[index] = true }
        // What is free, and what of it is connected with the border.
        memory.first.removeAll(keepingCapacity: true)
        memory.second.removeAll(keepingCapacity: true)
        for index in mask.indices {
            let (x, y) = (index % width, index / width)
            memory.first.append(!mask[index])
            memory.second.append(!mask[index] && (x == 0 || y == 0 || x == width - 1 || y == height - 1))
        }
        grow(&memory.second, into: memory.first, &memory.open)
        for index in mask.indices { mask[index] = !memory.second[index] }
    }

    /// Connected regions of what is set, with diagonal neighbours.
    /// - Parameter width: of a row, for another grid.
    package static func regions(_ mask: [Bool], width: Int = width) -> [[Int]] {
        var (free, memory) = (mask, Memory())
        var regions: [[Int]] = []
        forEachRegion(&free, width: width, &memory) { regions.append(Array($0)) }
        return regions
    }

    /// - Parameters:
    ///   - mask: nothing of it is set afterwards.
    ///   - body: gets the indices of a region's texels.
    static func forEachRegion(
        _ mask: inout [Bool], width: Int = width, _ memory: inout Memory, _ body: (UnsafeBufferPointer<Int>) -> Void
    ) {
        let height = mask.count / width
        for index in mask.indices where mask[index] {
            mask[index] = false
            memory.open.removeAll(keepingCapacity: true)
            memory.open.append(index)
            var next = 0
            while next < memory.open.count {
                forEachNeighbour(of: memory.open[next], width: width, height: height, diagonal: true) { neighbour in
                    if mask[neighbour] {
                        mask[neighbour] = false
                        memory.open.append(neighbour)
                    }
                }
                next += 1
            }
            memory.open.withUnsafeBufferPointer(body)
        }
    }
}
