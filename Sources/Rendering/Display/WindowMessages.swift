import Synchronization

/// Short texts that a window shows over its picture: each for some seconds, then it fades. Any thread may say one.
package final class WindowMessages: Sendable {
    private struct State {
        var text = ""
        var isAlarm = false
        var end = ContinuousClock.now
        var helpEnd = ContinuousClock.now
        var echo: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())
    /// That most people read without haste.
    private static let lettersPerSecond = 20.0

    package init() {}

    /// Takes each text too, for example to print it; nil: nobody does.
    package var echo: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.echo } }
        set { state.withLock { $0.echo = newValue } }
    }

    /// Shows a text for 3 seconds, an alarm for 6, and a long one for as long as it takes to read it.
    /// - Parameter details: what `echo` gets in its place; nil: the text.
    package func say(_ text: String, isAlarm: Bool = false, printing details: String? = nil) {
        let seconds = max(isAlarm ? 6 : 3, min(12, Double(text.count) / Self.lettersPerSecond))
        let echo = state.withLock { state in
            (state.text, state.isAlarm, state.end) = (text, isAlarm, .now + .seconds(seconds))
            return state.echo
        }
        echo?(details ?? text)
    }

    /// Takes away the text, unless it is an alarm.
    package func end() { state.withLock { if !$0.isAlarm { $0.end = .now } } }

    package func showHelp(for seconds: Double) { state.withLock { $0.helpEnd = .now + .seconds(seconds) } }

    /// Shows the help, where it is shown, at least for so many seconds more.
    package func keepHelp(for seconds: Double) {
        state.withLock { state in
            guard Self.opacity(until: state.helpEnd) > 0 else { return }
            state.helpEnd = max(state.helpEnd, .now + .seconds(seconds))
        }
    }

    package func toggleHelp() {
        state.withLock { state in
            state.helpEnd = Self.opacity(until: state.helpEnd) > 0 ? .now : .now + .seconds(3600)
        }
    }

    /// The last text and its opacity, 0 to 1; nil once it has faded.
    package var current: (text: String, opacity: Float, isAlarm: Bool)? {
        state.withLock { state in
            let opacity = Self.opacity(until: state.end)
            return opacity > 0 ? (state.text, opacity, state.isAlarm) : nil
        }
    }

    /// 0 to 1; 0: the help is not shown.
    package var helpOpacity: Float { state.withLock { Self.opacity(until: $0.helpEnd) } }

    private static func opacity(until end: ContinuousClock.Instant) -> Float {
        Float(max(0, min(1, (end - .now) / .seconds(1))))
    }
}
