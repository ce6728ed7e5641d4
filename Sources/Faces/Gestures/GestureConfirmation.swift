/// The time between a gesture and what it does, in which it can be taken back: by shaking the head, by another gesture, or by
/// leaving the picture.
package struct GestureConfirmation<Action: Sendable>: Sendable {
    /// A gesture that is about to do something.
    package struct Pending: Sendable {
        package let gesture: Gesture
        package let action: Action
        package let since: Double
    }

    /// The result of a frame.
    package enum Step: Sendable {
        case nothing
        /// A gesture has been recognised and will act.
        case waits(Gesture, Action)
        case acts(Gesture, Action)
        case takenBack(Gesture, Action)
    }

    /// In seconds.
    package var delay: Double
    package private(set) var pending: Pending?
    /// When the face was last seen, and the time of the last frame.
    private var seen = 0.0
    private var now = 0.0

    /// Without the face for longer, what waits is taken back, in seconds.
    private static var longestAbsence: Double { 0.7 }

    /// - Parameter delay: in seconds.
    package init(delay: Double) { self.delay = delay }

    /// How much of the delay has passed, 0…1; 0: nothing waits.
    package var progress: Float {
        guard let pending else { return 0 }
        return Float(min(1, max(0, (now - pending.since) / max(delay, 1e-3))))
    }

    /// - Parameters:
    ///   - gesture: the gesture that was recognised in this frame.
    ///   - action: its effect; nil: none.
    ///   - isImmediate: whether it does so at once, because it harms nobody if it was no gesture.
    ///   - isSeen: whether the face is in the picture.
    ///   - seconds: the time of the frame.
    package mutating func update(
        _ gesture: Gesture?, action: Action?, isImmediate: Bool = false, isSeen: Bool, at seconds: Double
    ) -> Step {
        // The times of another source.
        if let pending, seconds < pending.since { return cancel() }
        now = seconds
        if isSeen { seen = seconds }
        if let gesture, let action, isImmediate {
            pending = nil
            return .acts(gesture, action)
        }
        guard let waiting = pending else {
            guard let gesture, let action else { return .nothing }
            pending = Pending(gesture: gesture, action: action, since: seconds)
            return .waits(gesture, action)
        }
        if gesture != nil || seconds - seen > Self.longestAbsence { return cancel() }
        guard seconds - waiting.since >= delay else { return .nothing }
        pending = nil
        return .acts(waiting.gesture, waiting.action)
    }

    /// Takes back what waits.
    package mutating func cancel() -> Step {
        guard let pending else { return .nothing }
        self.pending = nil
        return .takenBack(pending.gesture, pending.action)
    }
}
