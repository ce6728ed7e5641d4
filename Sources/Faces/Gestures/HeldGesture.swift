/// Recognises what must last for some time without a break. Times are seconds.
struct HeldGesture: Sendable {
    let duration: Double
    /// A break that is shorter does not count: one frame of a slow camera, or a blink of the tracker.
    static let tolerance = 0.12

    /// When it began, and when it was last seen; nil: it is not held.
    private var held: (start: Double, last: Double)?
    /// Whether it has been recognised, so that it must end before it is again.
    private var isSpent = false

    init(duration: Double) { self.duration = duration }

    /// - Parameters:
    ///   - begins: whether the face is far enough from rest to begin with the gesture.
    ///   - goesOn: whether it is far enough to go on with it.
    /// - Returns: true when the gesture has lasted long enough, once.
    mutating func update(begins: Bool, goesOn: Bool, at seconds: Double) -> Bool {
        guard let before = held else {
            if begins { held = (seconds, seconds) }
            return false
        }
        guard goesOn else {
            if seconds - before.last > Self.tolerance { reset() }
            return false
        }
        held = (before.start, seconds)
        guard !isSpent, seconds - before.start >= duration else { return false }
        isSpent = true
        return true
    }

    /// How much of the duration has passed, 0…1; 0: it is not held, or has been recognised.
    var progress: Float {
        guard let held, !isSpent else { return 0 }
        return Float(min(1, max(0, (held.last - held.start) / duration)))
    }

    /// A gesture that is held goes on, and must end before it is recognised.
    mutating func spend() { isSpent = held != nil }

    mutating func reset() { (held, isSpent) = (nil, false) }
}
