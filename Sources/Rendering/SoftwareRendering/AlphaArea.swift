import FaceGeometry

/// Where all of a texture's alpha has a property: how many cells of texels do not have it, in the rectangle from the first
/// cell to each (a summed-area table, Crow 1984).
final class AlphaArea {
    private let width: Int
    private let height: Int
    /// Of a cell, in texels.
    private let cellSize: Int
    private let columns: Int
    /// One row and one column more than cells; the first ones are 0.
    private let counts: [Int32]

    /// - Parameters:
    ///   - cellSize: in texels; above 1, some triangles that lie inside are not found.
    ///   - contains: whether alpha has the property.
    init(_ texels: Texels, cellSize: Int, contains: (UInt8) -> Bool) {
        (width, height, self.cellSize) = (texels.width, texels.height, cellSize)
        columns = (width + cellSize - 1) / cellSize
        let rows = (height + cellSize - 1) / cellSize
        var counts = [Int32](repeating: 0, count: (columns + 1) * (rows + 1))
        for y in 0..<height {
            let first = (y / cellSize + 1) * (columns + 1) + 1
            for x in 0..<width where !contains(texels.alpha(x, y)) { counts[first + x / cellSize] = 1 }
        }
        for row in 1..<(rows + 1) {
            var inRow: Int32 = 0
            for column in 1..<(columns + 1) {
                inRow += counts[row * (columns + 1) + column]
                counts[row * (columns + 1) + column] = counts[(row - 1) * (columns + 1) + column] + inRow
            }
        }
        self.counts = counts
    }

    /// Whether everything that is interpolated between the texels in a box has the property.
    /// - Parameters:
    ///   - low: of the box: in texels, less a half.
    ///   - high: likewise.
    func contains(low: Point, high: Point) -> Bool {
        func cell(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit - 1), value))) / cellSize }
        let (left, top) = (cell(low.x, width), cell(low.y, height))
        let (right, bottom) = (cell(high.x + 1, width) + 1, cell(high.y + 1, height) + 1)
        func count(_ x: Int, _ y: Int) -> Int32 { counts[y * (columns + 1) + x] }
        return count(right, bottom) - count(left, bottom) - count(right, top) + count(left, top) == 0
    }
}
