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
        var (result, memory) = (self, Memory())
        result.blur(reach: reach, times: times, &memory)
        return result
    }

    /// The memory for blurring, kept from one map to the next.
    package struct Memory {
        fileprivate var (old, padded): ([Float], [Float]) = ([], [])

        package init() {}
    }

    /// Becomes what `blurred` returns.
    package mutating func blur(reach: Int, times: Int = 1, _ memory: inout Memory) {
        memory.old.removeAll(keepingCapacity: true)
        memory.old.append(contentsOf: values)
        memory.padded.removeAll(keepingCapacity: true)
        for _ in 0..<width + 2 * reach { memory.padded.append(0) }
        for _ in 0..<times {
            swap(&memory.old, &values)
            Self.blurRows(memory.old, into: &values, width: width, reach: reach, &memory.padded)
            swap(&memory.old, &values)
            Self.blurColumns(memory.old, into: &values, width: width, height: height, reach: reach)
        }
    }

    /// - Parameter padded: a row with its repeated border, so that whole rows can be added.
    private static func blurRows(
        _ old: [Float], into new: inout [Float], width: Int, reach: Int, _ padded: inout [Float]
    ) {
        for row in stride(from: 0, to: old.count, by: width) {
            for x in padded.indices { padded[x] = old[row + max(0, min(width - 1, x - reach))] }
            average(count: width, of: 2 * reach + 1, padded, into: &new, at: row) { $0 }
        }
    }

    private static func blurColumns(_ old: [Float], into new: inout [Float], width: Int, height: Int, reach: Int) {
        for y in 0..<height {
            average(count: width, of: 2 * reach + 1, old, into: &new, at: y * width) { index in
                max(0, min(height - 1, y - reach + index)) * width
            }
        }
    }

    /// The mean of several stretches of values. Additions of whole stretches without checks of overflow become vectors.
    /// - Parameters:
    ///   - place: in `new`.
    ///   - start: of each stretch in `old`.
    private static func average(
        count: Int, of stretches: Int, _ old: [Float], into new: inout [Float], at place: Int, start: (Int) -> Int
    ) {
        let divisor = Float(stretches)
        precondition(place >= 0 && place + count <= new.count)
        old.withUnsafeBufferPointer { old in
            new.withUnsafeMutableBufferPointer { new in
                guard let to = new.baseAddress?.advanced(by: place), let values = old.baseAddress else { return }
                for x in 0..<count { to[x] = 0 }
                for index in 0..<stretches {
                    let first = start(index)
                    precondition(first >= 0 && first + count <= old.count)
                    let from = values + first
                    for x in 0..<count { to[x] += from[x] }
                }
                for x in 0..<count { to[x] /= divisor }
            }
        }
    }
}
