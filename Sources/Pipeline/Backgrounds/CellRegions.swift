/// Regions of a square of cells.
enum CellRegions {
    /// Grows a region by cells beside it that belong to it.
    /// - Parameters:
    ///   - stack: cells of the region from which it grows; empty afterwards.
    ///   - side: of the square, in cells.
    ///   - region: whether each cell is in it.
    ///   - belongs: whether a cell may be added.
    static func spread(_ stack: inout [Int], side: Int, _ region: inout [Bool], where belongs: (Int) -> Bool) {
        while let index = stack.popLast() {
            let (x, y) = (index % side, index / side)
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                guard (0..<side).contains(x + dx), (0..<side).contains(y + dy) else { continue }
                let next = index + dy * side + dx
                guard !region[next], belongs(next) else { continue }
                region[next] = true
                stack.append(next)
            }
        }
    }

    /// The means of squares around each cell; beyond the edge is 0.
    /// - Parameters:
    ///   - side: of the square, in cells.
    ///   - reach: in cells, to each side.
    ///   - means: of the same length as the values.
    ///   - column: memory for `side` values.
    static func mean(
        _ values: [Float], side: Int, reach: Int, into means: inout [Float], _ column: inout [Float]
    ) {
        let share = 1 / Float(2 * reach + 1)
        for y in 0..<side {
            for x in 0..<side {
                var sum: Float = 0
                for other in max(0, x - reach)...min(side - 1, x + reach) { sum += values[y * side + other] }
                means[y * side + x] = share * sum
            }
        }
        for x in 0..<side {
            for y in 0..<side { column[y] = means[y * side + x] }
            for y in 0..<side {
                var sum: Float = 0
                for row in max(0, y - reach)...min(side - 1, y + reach) { sum += column[row] }
                means[y * side + x] = share * sum
            }
        }
    }
}
