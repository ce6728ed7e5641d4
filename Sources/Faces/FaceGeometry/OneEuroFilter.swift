/// The 1 € filter: a low-pass filter whose cutoff rises with speed, so that jitter is removed at rest and lag in motion
/// (Casiez, Roussel & Vogel, "1 € Filter", CHI 2012).
package struct OneEuroFilter: Sendable {
    /// How the cutoff depends on speed.
    package struct Settings: Sendable {
        /// At rest, in hertz.
        package var minimumCutoff: Float
        /// Increase of the cutoff for each unit of speed, in hertz.
        package var speedCoefficient: Float
        /// Upper limit of the cutoff, in hertz. The paper has none; without one, the noise of fast motion passes.
        package var maximumCutoff: Float

        package init(minimumCutoff: Float, speedCoefficient: Float, maximumCutoff: Float = .infinity) {
            self.minimumCutoff = minimumCutoff
            self.speedCoefficient = speedCoefficient
            self.maximumCutoff = maximumCutoff
        }

        /// The weight of a new value, 0…1.
        /// - Parameter seconds: since the value before.
        /// - Parameter cutoffBoost: added to the cutoff, in hertz.
        package func weight(speed: Float, seconds: Float, cutoffBoost: Float = 0) -> Float {
            let cutoff = min(maximumCutoff, minimumCutoff + speedCoefficient * speed) + cutoffBoost
            return OneEuroFilter.weight(cutoff: cutoff, seconds: seconds)
        }
    }

    /// The weight of a new value in an exponential low-pass filter, 0…1.
    /// - Parameters:
    ///   - cutoff: in hertz.
    ///   - seconds: since the value before.
    package static func weight(cutoff: Float, seconds: Float) -> Float {
        guard cutoff.isFinite else { return 1 }
        let ratio = 2 * Float.pi * cutoff * max(seconds, 0)
        return ratio / (1 + ratio)
    }

    package let settings: Settings
    /// The cutoff of the low-pass filter for the speed itself, in hertz; as in the paper.
    package static let speedCutoff: Float = 1

    private var value: Point?
    private var velocity = Point.zero

    package init(_ settings: Settings) { self.settings = settings }

    /// - Parameter seconds: since the value before.
    package mutating func filter(_ new: Point, seconds: Float) -> Point {
        guard let old = value, seconds > 0 else {
            value = value ?? new
            return value ?? new
        }
        let momentary = (new - old) / seconds
        velocity += Self.weight(cutoff: Self.speedCutoff, seconds: seconds) * (momentary - velocity)
        let result = old + settings.weight(speed: velocity.length, seconds: seconds) * (new - old)
        value = result
        return result
    }
}
