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
        // Sums that move along, so that a long reach costs no more.
        for y in 0..<side {
            var sum: Float = 0
            for x in 0..<min(reach, side) { sum += values[y * side + x] }
            for x in 0..<side {
                if x + reach < side { sum += values[y * side + x + reach] }
                if x > reach { sum -= values[y * side + x - reach - 1] }
                means[y * side + x] = share * sum
            }
        }
        for x in 0..<side {
            for y in 0..<side { column[y] = means[y * side + x] }
            var sum: Float = 0
            for y in 0..<min(reach, side) { sum += column[y] }
            for y in 0..<side {
                if y + reach < side { sum += column[y + reach] }
                if y > reach { sum -= column[y - reach - 1] }
                means[y * side + x] = share * sum
            }
        }
    }
}
