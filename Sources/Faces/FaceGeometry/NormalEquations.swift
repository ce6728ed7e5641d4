/// Normal equations of a weighted least-squares problem with up to seven unknowns, without memory on the heap.
package struct NormalEquations {
    private static let size = 7
    private let count: Int
    private var matrix = InlineArray<49, Double>(repeating: 0)
    private var right = InlineArray<7, Double>(repeating: 0)

    /// - Parameter count: of unknowns, at most 7.
    package init(count: Int) { self.count = count }

    /// - Parameter row: at least `count` derivatives.
    package mutating func add(_ row: InlineArray<7, Double>, _ residual: Double, weight: Double) {
        for i in 0..<count {
            let factor = weight * row[i]
            for j in i..<count { matrix[i * Self.size + j] += factor * row[j] }
            right[i] += factor * residual
        }
    }

    package mutating func addPrior(_ index: Int, _ residual: Double, deviation: Double) {
        matrix[index * Self.size + index] += 1 / (deviation * deviation)
        right[index] += residual / deviation
    }

    /// The unknowns beyond `count` are 0. By Cholesky's decomposition; nil if the equations are degenerate or no numbers.
    package func solution() -> InlineArray<7, Double>? {
        var factor = matrix
        var result = right
        for i in 0..<count {
            for j in i..<count {
                var sum = matrix[i * Self.size + j]
                for k in 0..<i { sum -= factor[k * Self.size + i] * factor[k * Self.size + j] }
                if i == j {
                    guard sum > 1e-9 * max(1, matrix[i * Self.size + i]) else { return nil }
                    factor[i * Self.size + i] = sum.squareRoot()
                } else {
                    factor[i * Self.size + j] = sum / factor[i * Self.size + i]
                }
            }
        }
        for i in 0..<count {
            for k in 0..<i { result[i] -= factor[k * Self.size + i] * result[k] }
            result[i] /= factor[i * Self.size + i]
        }
        for i in stride(from: count - 1, through: 0, by: -1) {
            for k in (i + 1)..<max(i + 1, count) { result[i] -= factor[i * Self.size + k] * result[k] }
            result[i] /= factor[i * Self.size + i]
        }
        for i in 0..<count where !result[i].isFinite { return nil }
        return result
    }
}
