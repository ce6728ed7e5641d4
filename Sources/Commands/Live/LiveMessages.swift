import CommandLine

/// Short texts over the picture, which fade, and the same on standard error where nobody watches a window.
final class LiveMessages {
    private var text = ""
    private var isAlarm = false
    private var end = ContinuousClock.now
    private var helpEnd = ContinuousClock.now
    /// Whether everything is said on standard error too.
    var echoes = false

    static let help = """
        left, right, 1-9   another mask        S   snapshot
        Tab                the panel           R   record, and stop
        L                  mesh and landmarks  space   pause
        M                  mirror              H   this help
        F                  full screen         Q, Esc   end
        """

    func say(_ text: String, isAlarm: Bool = false) {
        self.text = text
        self.isAlarm = isAlarm
        end = .now + .seconds(isAlarm ? 6 : 3)
        if echoes { Console.error("bauta: \(text)\n") }
    }

    func showHelp(for seconds: Double) { helpEnd = .now + .seconds(seconds) }
    func toggleHelp() { helpEnd = helpOpacity > 0 ? .now : .now + .seconds(3600) }

    /// The last text, and how much of it is still to be seen.
    var current: (text: String, opacity: Float, isAlarm: Bool)? {
        let opacity = Self.opacity(until: end)
        return opacity > 0 ? (text, opacity, isAlarm) : nil
    }

    var helpOpacity: Float { Self.opacity(until: helpEnd) }

    private static func opacity(until end: ContinuousClock.Instant) -> Float {
        Float(max(0, min(1, (end - .now) / .seconds(1))))
    }
}
