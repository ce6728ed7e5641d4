/// How near the camera is to a head, smoothed over time: it changes slowly, and a single picture shows it weakly.
struct HeadNearness {
    /// 1 / face widths; nil before the first update.
    private(set) var value: Float?
    private var lastSeconds = 0.0

    /// In seconds.
    private static let timeConstant = 1.0

    mutating func update(_ measured: Float, at seconds: Double) {
        let elapsed = seconds - lastSeconds
        lastSeconds = seconds
        guard let old = value, elapsed >= 0, elapsed < 0.5 else {
            value = measured
            return
        }
        value = old + Float(elapsed / (Self.timeConstant + elapsed)) * (measured - old)
    }
}
