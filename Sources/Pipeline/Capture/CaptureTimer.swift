/// Decides when a picture is taken: once nothing has been missing during a countdown. Times are seconds.
package struct CaptureTimer: Sendable {
    package enum Step: Equatable, Sendable {
        /// The unmet conditions. Empty: the next picture is not due yet.
        case waits(missing: [String])
        case counts(remaining: Double)
        /// The picture of this frame is the one.
        case takes
    }

    /// From the moment when nothing is missing to the picture.
    private let countdown: Double
    /// Between a picture and the next countdown.
    private let interval: Double
    /// A blink is shorter: what is missing for less does not end a countdown. Motion ends it at once.
    private static let patience = 0.3

    private var start: Double?
    private var good: Double?
    private var next: Double?
    private var last: Double?

    package init(countdown: Double, interval: Double) {
        (self.countdown, self.interval) = (countdown, interval)
    }

    /// - Parameters:
    ///   - missing: in this frame.
    ///   - moves: whether the scene or the face does.
    package mutating func update(missing: [String], moves: Bool, at seconds: Double) -> Step {
        // The times of another source, or of a clip that begins again.
        if let last, seconds < last { (start, good, next) = (nil, nil, nil) }
        last = seconds
        if let next, seconds < next { return .waits(missing: []) }
        if missing.isEmpty {
            good = seconds
        } else if moves || good.map({ seconds - $0 > Self.patience }) ?? true {
            (start, good) = (nil, nil)
            return .waits(missing: missing)
        }
        let begun = start ?? seconds
        start = begun
        let remaining = begun + countdown - seconds
        guard remaining <= 0, missing.isEmpty else { return .counts(remaining: max(0, remaining)) }
        (start, good, next) = (nil, nil, seconds + interval)
        return .takes
    }
}
