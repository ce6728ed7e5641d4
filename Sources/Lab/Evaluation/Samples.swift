/// Values that were measured repeatedly, for example the milliseconds of one stage in each frame.
package struct Samples: Sendable {
    package let name: String
    package private(set) var values: [Double] = []

    package init(_ name: String = "", _ values: [Double] = []) {
        self.name = name
        self.values = values
    }

    package mutating func add(_ value: Double) { values.append(value) }
    package mutating func add(_ duration: Duration) { values.append(duration / .milliseconds(1)) }

    /// The mean of the two middle values if their number is even; 0 without values.
    package var median: Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        if sorted.isEmpty { return 0 }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The value below which a fraction (0 to 1) of the values lies; 0 without values.
    package func percentile(_ fraction: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
    }

    package var total: Double { values.reduce(0, +) }

    package var mean: Double { total / Double(max(1, values.count)) }
}
