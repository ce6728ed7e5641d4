/// The 1 € filter: a low-pass whose cutoff rises with speed, so that what rests is still and what moves does not lag
/// (Casiez, Roussel & Vogel, "1 € Filter", CHI 2012).
package struct OneEuroFilter: Sendable {
    /// How the cutoff depends on speed.
    package struct Settings: Sendable {
        /// At rest, in hertz.
        package var minimumCutoff: Float
        /// Hertz more for each unit of speed.
        package var speedCoefficient: Float
        /// No higher than this, in hertz. The paper has no such limit; without one, the noise of fast motion passes.
        package var maximumCutoff: Float

        package init(minimumCutoff: Float, speedCoefficient: Float, maximumCutoff: Float = .infinity) {
            self.minimumCutoff = minimumCutoff
            self.speedCoefficient = speedCoefficient
            self.maximumCutoff = maximumCutoff
        }

        /// The share of the new value at a speed, after a pause.
        /// - Parameter cutoffBoost: added to the cutoff, in hertz.
        package func share(speed: Float, seconds: Float, cutoffBoost: Float = 0) -> Float {
            let cutoff = min(maximumCutoff, minimumCutoff + speedCoefficient * speed) + cutoffBoost
            return OneEuroFilter.share(cutoff: cutoff, seconds: seconds)
        }
    }

    /// The share of the new value in an exponential low-pass with a cutoff in hertz.
    package static func share(cutoff: Float, seconds: Float) -> Float {
        guard cutoff.isFinite else { return 1 }
        let ratio = 2 * Float.pi * cutoff * max(seconds, 0)
        return ratio / (1 + ratio)
    }

    package let settings: Settings
    /// The cutoff with which the speed itself is smoothed, in hertz; the paper's 1.
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
        velocity += Self.share(cutoff: Self.speedCutoff, seconds: seconds) * (momentary - velocity)
        let result = old + settings.share(speed: velocity.length, seconds: seconds) * (new - old)
        value = result
        return result
    }
}
