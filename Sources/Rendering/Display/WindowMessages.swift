/// Short texts that a window shows over its picture: each for some seconds, then it fades.
package final class WindowMessages {
    private var text = ""
    private var isAlarm = false
    private var end = ContinuousClock.now
    private var helpEnd = ContinuousClock.now
    /// Takes each text too, for example to print it.
    package var echo: ((String) -> Void)?

    package init() {}

    /// Shows a text for 3 seconds; an alarm for 6.
    package func say(_ text: String, isAlarm: Bool = false) {
        self.text = text
        self.isAlarm = isAlarm
        end = .now + .seconds(isAlarm ? 6 : 3)
        echo?(text)
    }

    package func showHelp(for seconds: Double) { helpEnd = .now + .seconds(seconds) }
    package func toggleHelp() { helpEnd = helpOpacity > 0 ? .now : .now + .seconds(3600) }

    /// The last text and its opacity, 0 to 1; nil once it has faded.
    package var current: (text: String, opacity: Float, isAlarm: Bool)? {
        let opacity = Self.opacity(until: end)
        return opacity > 0 ? (text, opacity, isAlarm) : nil
    }

    /// 0 to 1; 0: the help is not shown.
    package var helpOpacity: Float { Self.opacity(until: helpEnd) }

    private static func opacity(until end: ContinuousClock.Instant) -> Float {
        Float(max(0, min(1, (end - .now) / .seconds(1))))
    }
}
