/// Values on a coarse grid, given at the centres of its cells: for quantities that change slowly over a face.
package struct CoarseMap: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Row by row.
    package var values: [Float]

    /// - Parameter values: one per cell, row by row.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(width > 0 && height > 0 && values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }

    package init(width: Int, height: Int, filledWith value: Float) {
        self.init(width: width, height: height, values: [Float](repeating: value, count: width * height))
    }

    /// The bilinearly interpolated value at a point; beyond the outermost cell centres, the value of the border.
    /// - Parameter place: in cells; the centre of the first is (0.5, 0.5).
    package func value(at place: Point) -> Float {
        let last = Point(Float(width - 1), Float(height - 1))
        let position = pointwiseMin(pointwiseMax(place - 0.5, .zero), last)
        let (x, y) = (min(Int(position.x), max(0, width - 2)), min(Int(position.y), max(0, height - 2)))
        let (u, v) = (position.x - Float(x), position.y - Float(y))
        let index = y * width + x
        let (right, below) = (width > 1 ? 1 : 0, height > 1 ? width : 0)
        return values.withUnsafeBufferPointer { values in
            (1 - v) * ((1 - u) * values[index] + u * values[index + right])
                + v * ((1 - u) * values[index + below] + u * values[index + below + right])
        }
    }

    /// A box blur: each cell becomes the mean of the cells up to `reach` away, horizontally and vertically; the border
    /// is repeated outside. Several passes approximate a Gaussian.
    package func blurred(reach: Int, times: Int = 1) -> CoarseMap {
        var result = self
        var old = values
        for _ in 0..<times {
            swap(&old, &result.values)
            Self.blurRows(old, into: &result.values, width: width, reach: reach)
            swap(&old, &result.values)
            Self.blurColumns(old, into: &result.values, width: width, height: height, reach: reach)
        }
        return result
    }

    private static func blurRows(_ old: [Float], into new: inout [Float], width: Int, reach: Int) {
        let count = Float(2 * reach + 1)
        old.withUnsafeBufferPointer { old in
            new.withUnsafeMutableBufferPointer { new in
                for row in stride(from: 0, to: old.count, by: width) {
                    for x in 0..<width {
                        var sum: Float = 0
                        if x >= reach, x + reach < width {
                            for cell in (row + x - reach)...(row + x + reach) { sum += old[cell] }
                        } else {
                            for place in (x - reach)...(x + reach) { sum += old[row + max(0, min(width - 1, place))] }
                        }
                        new[row + x] = sum / count
                    }
                }
            }
        }
    }

    private static func blurColumns(_ old: [Float], into new: inout [Float], width: Int, height: Int, reach: Int) {
        let count = Float(2 * reach + 1)
        old.withUnsafeBufferPointer { old in
            new.withUnsafeMutableBufferPointer { new in
                for y in 0..<height {
                    let row = y * width
                    for x in 0..<width { new[row + x] = 0 }
                    for place in (y - reach)...(y + reach) {
                        let other = max(0, min(height - 1, place)) * width
                        for x in 0..<width { new[row + x] += old[other + x] }
                    }
                    for x in 0..<width { new[row + x] /= count }
                }
            }
        }
    }
}
