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
        for _ in 0..<times {
            result.blurLines(count: height, length: width, start: width, step: 1, reach: reach)
            result.blurLines(count: width, length: height, start: 1, step: width, reach: reach)
        }
        return result
    }

    private mutating func blurLines(count: Int, length: Int, start: Int, step: Int, reach: Int) {
        let old = values
        for line in 0..<count {
            for place in 0..<length {
                var sum: Float = 0
                for offset in -reach...reach {
                    sum += old[line * start + max(0, min(length - 1, place + offset)) * step]
                }
                values[line * start + place * step] = sum / Float(2 * reach + 1)
            }
        }
    }
}
