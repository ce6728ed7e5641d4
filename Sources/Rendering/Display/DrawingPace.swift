/// Says when a window is to be drawn again: at once for a new picture and after what the user does, and seldom while
/// nothing happens. Without a graphics card the processors draw the window, and they have masks and recordings to compute,
/// too. So a drawing is followed by a pause of twice its duration, or once while the user does something.
package struct DrawingPace: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Whether a graphics card draws the window.
    private let isHardware: Bool
    private var lastActivity: Instant?
    /// When the last drawing ended, and how long it took.
    private var last: (end: Instant, duration: Duration)?

    /// After what the user does, for so long: tooltips and animations need frames.
    private static let awake = Duration.seconds(1)
    /// From frame to frame without new pictures.
    private static let interval = (awake: Duration.milliseconds(15), idle: Duration.milliseconds(100))
    /// However slow drawing is.
    private static let longestPause = Duration.milliseconds(250)

    package init(isHardware: Bool) { self.isHardware = isHardware }

    /// The user has done something.
    package mutating func wake(at now: Instant) { lastActivity = now }

    /// How long to wait before the next drawing, even if there is a new picture; zero: no time.
    package func pause(at now: Instant) -> Duration {
        guard let last, !isHardware else { return .zero }
        let pause = min(last.duration * (isAwake(at: now) ? 1 : 2), Self.longestPause)
        return max(.zero, pause - (now - last.end))
    }

    /// Whether the window is due without a new picture, too.
    package func isDue(at now: Instant) -> Bool {
        guard let last else { return true }
        return now - last.end >= (isAwake(at: now) ? Self.interval.awake : Self.interval.idle)
    }

    private func isAwake(at now: Instant) -> Bool { lastActivity.map { now - $0 < Self.awake } ?? false }

    /// The window has been drawn.
    package mutating func drew(from start: Instant, to end: Instant) { last = (end, end - start) }
}
