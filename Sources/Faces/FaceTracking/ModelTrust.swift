import Glibc

/// How far the landmark model is trusted, 0…1. It is sure of itself when a hand hides half of a face, and squeezes the
/// face into what is left of it. Flow shows that: the points on the hand move unlike the skin.
struct ModelTrust {
    /// Shares of the skin's points: a disturbance up to the first says nothing, and at the sum of both the trust is half.
    private static let (calm, half): (Float, Float) = (0.03, 0.08)
    /// How long a disturbance is remembered, in seconds: while the model agrees with flow to `agreeing` sides of the box,
    /// and while it does not: a hand that rests does not move.
    private static let (memory, longMemory): (Float, Float) = (0.3, 0.6)
    private static let agreeing: Float = 0.02

    private var disturbance: Float = 0
    /// Whether flow broke while the face was disturbed: what it says since is no better than the model.
    private var isBroken = false
    private(set) var value: Float = 1

    /// - Parameters:
    ///   - distance: mean, of the model's landmarks from those that flow predicts, in sides of the box.
    ///   - isReliable: whether flow can be relied on; otherwise there is nothing but the model.
    ///   - seconds: since the frame before.
    mutating func follow(_ motion: SkinMotion, distance: Float, isReliable: Bool, seconds: Float) {
        isBroken = !isReliable || isBroken && motion.disturbance > Self.calm
        guard !isBroken else {
            (disturbance, value) = (0, 1)
            return
        }
        let memory = distance < Self.agreeing ? Self.memory : Self.longMemory
        disturbance = max(motion.disturbance, disturbance * exp(-seconds / memory))
        let excess = max(0, disturbance - Self.calm) / Self.half
        value = 1 / (1 + excess * excess)
    }
}
