/// A function of 0…1 at equal steps. It is kept as long as the process lives.
package struct TransferTable: @unchecked Sendable {
    /// `steps + 1` values.
    package let values: UnsafePointer<Float>
    private let steps: Int

    package init(steps: Int, _ function: (Float) -> Float) {
        let values = UnsafeMutablePointer<Float>.allocate(capacity: steps + 1)
        for step in 0...steps { (values + step).initialize(to: function(Float(step) / Float(steps))) }
        self.values = UnsafePointer(values)
        self.steps = steps
    }

    /// Between the two nearest steps; of numbers outside 0…1 (NaN is 0), the value at the end.
    func callAsFunction(_ value: Float) -> Float {
        let place = (value > 0 ? min(value, 1) : 0) * Float(steps)
        let step = min(Int(place), steps - 1)
        return values[step] + (place - Float(step)) * (values[step + 1] - values[step])
    }
}
