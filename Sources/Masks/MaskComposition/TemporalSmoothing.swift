/// How measurements of a face and of the room around it follow those of later pictures.
enum TemporalSmoothing {
    /// In seconds.
    private static let timeConstant = 0.8
    /// After a longer gap, in seconds, smoothing starts again.
    private static let longestGap = 0.5

    /// How much a new measurement counts, 0…1.
    /// - Parameter elapsed: seconds since the one before; nil: there is nothing to smooth.
    static func weight(after elapsed: Double?) -> Float {
        guard let elapsed, elapsed >= 0, elapsed < longestGap else { return 1 }
        return Float(elapsed / (timeConstant + elapsed))
    }
}
