/// Says when a window is to be drawn again: at once for a new picture and after what the user does, seldom while nothing
/// happens, never while nobody can see it. Without a graphics card the processors draw the window; what else they have to do
/// comes first then, so that a drawing is followed by a pause of twice its duration.
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
    /// However slow drawing is, what the user does is seen after so long.
    private static let longestPause = Duration.milliseconds(250)

    package init(isHardware: Bool) { self.isHardware = isHardware }

    /// The user has done something.
    package mutating func wake(at now: Instant) { lastActivity = now }

    /// How long the window must not be drawn yet, also where there is a new picture; zero: not at all.
    package func pause(at now: Instant) -> Duration {
        guard let last, !isHardware else { return .zero }
        return max(.zero, min(last.duration * 2, Self.longestPause) - (now - last.end))
    }

    /// Whether the window is due without a new picture, too.
    package func isDue(at now: Instant) -> Bool {
        guard let last else { return true }
        let isAwake = lastActivity.map { now - $0 < Self.awake } ?? false
        return now - last.end >= (isAwake ? Self.interval.awake : Self.interval.idle)
    }

    /// The window has been drawn.
    package mutating func drew(from start: Instant, to end: Instant) { last = (end, end - start) }
}
