/// Mean and standard deviation of a set of colours, in Oklab.
package struct ColorStatistics: Equatable, Sendable {
    package var mean: SIMD3<Float>
    package var deviation: SIMD3<Float>

    /// - Returns: nil for an empty set.
    init?(_ labs: some Collection<SIMD3<Float>>) {
        guard !labs.isEmpty else { return nil }
        var (sum, squares) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for lab in labs { sum += lab }
        let mean = sum / Float(labs.count)
        for lab in labs { squares += (lab - mean) * (lab - mean) }
        self.mean = mean
        deviation = (squares / Float(labs.count)).squareRoot()
    }

    /// Moves towards other statistics by a weight of 0…1.
    mutating func approach(_ other: ColorStatistics, by weight: Float) {
        mean += weight * (other.mean - mean)
        deviation += weight * (other.deviation - deviation)
    }

    /// Whether the difference is too small to be seen.
    /// - Parameter limit: in Oklab.
    func isNear(_ other: ColorStatistics, _ limit: Float = 0.002) -> Bool {
        let (mean, deviation) = (mean - other.mean, deviation - other.deviation)
        return max((mean * mean).sum(), (deviation * deviation).sum()) < limit * limit
    }
}
