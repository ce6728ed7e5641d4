/// Distances in a square of cells.
enum CellDistances {
    /// Of each cell, from the nearest of a region, in thirds of a cell (Borgefors, "Distance transformations in digital
    /// images", 1986: 3 beside, 4 across). Far away where the region is empty.
    /// - Parameters:
    ///   - side: of the square, in cells.
    ///   - distances: of the same length as the region.
    static func measure(_ region: [Bool], side: Int, into distances: inout [Int32]) {
        for index in region.indices { distances[index] = region[index] ? 0 : 1 << 20 }
        func take(_ index: Int, _ x: Int, _ step: Int) {
            for (dx, dy, length) in [(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)] as [(Int, Int, Int32)] {
                let other = index + step * (dy * side + dx)
                guard region.indices.contains(other), (0..<side).contains(x + step * dx) else { continue }
                distances[index] = min(distances[index], distances[other] + length)
            }
        }
        for index in region.indices { take(index, index % side, 1) }
        for index in region.indices.reversed() { take(index, index % side, -1) }
    }
}
