/// Recognises a head that turns to and fro. Times are seconds, angles radians.
struct HeadShake: Sendable {
    /// The smallest turn that counts, and how many of them in turns, within what time.
    private static let turn: Float = 0.15
    private static let count = 3
    private static let longest = 1.6

    /// Where the yaw has turned back, and where it is farthest since then.
    private var turningPoint: Float?
    private var extreme: Float = 0
    private var isRising = true
    /// When turns that were large enough have ended.
    private var turns: [Double] = []

    mutating func update(yaw: Float, at seconds: Double) -> Bool {
        guard let from = turningPoint else {
            (turningPoint, extreme) = (yaw, yaw)
            return false
        }
        let isFarther = isRising ? yaw >= extreme : yaw <= extreme
        if isFarther {
            extreme = yaw
            return false
        }
        // It turns back once it is clear that this is no noise.
        guard abs(yaw - extreme) > 0.5 * Self.turn else { return false }
        turns.removeAll { seconds - $0 > Self.longest }
        if abs(extreme - from) >= Self.turn { turns.append(seconds) } else { turns = [] }
        (turningPoint, extreme, isRising) = (extreme, yaw, !isRising)
        guard turns.count >= Self.count else { return false }
        turns = []
        return true
    }

    mutating func reset() { self = HeadShake() }
}
