import Glibc

/// How far the landmark model is trusted, 0…1. It is sure of itself when a hand hides half of a face, and squeezes the
/// face into what is left of it. Flow shows that: the points on the hand move unlike the skin.
package struct ModelTrust {
    /// Shares of the skin's points: a disturbance up to the first says nothing, and at the sum of both the trust is half.
    private static let (calm, half): (Float, Float) = (0.03, 0.08)
    /// How long a disturbance is remembered, in seconds.
    private static let memory: Float = 0.12
    /// What is disturbed for longer than the first, in seconds, is always so, as by a microphone that swings: from then on
    /// the trust grows again, and is whole after the second.
    private static let (patience, longest): (Float, Float) = (1.5, 3)

    private var disturbance: Float = 0
    /// Since when the trust is less than half, in seconds.
    private var duration: Float = 0
    /// Whether flow broke while the face was disturbed: what it says since is no better than the model.
    private var isBroken = false
    package private(set) var value: Float = 1

    package init() {}

    /// - Parameters:
    ///   - disturbance: see `SkinMotion.disturbance`.
    ///   - isReliable: whether flow can be relied on; otherwise there is nothing but the model.
    ///   - seconds: since the frame before.
    package mutating func follow(disturbance share: Float, isReliable: Bool, seconds: Float) {
        isBroken = !isReliable || isBroken && share > Self.calm
        guard !isBroken else {
            (disturbance, duration, value) = (0, 0, 1)
            return
        }
        disturbance = max(share, disturbance * exp(-seconds / Self.memory))
        let excess = max(0, disturbance - Self.calm) / Self.half
        let own = 1 / (1 + excess * excess)
        duration = own < 0.5 ? duration + seconds : 0
        value = max(own, min(1, (duration - Self.patience) / (Self.longest - Self.patience)))
    }
}
