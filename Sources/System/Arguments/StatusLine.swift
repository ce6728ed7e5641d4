import Files

/// A line on standard error that is redrawn in place, for progress on a terminal.
package struct StatusLine: Sendable {
    private let interval: Duration
    private var lastDrawn: ContinuousClock.Instant?

    /// Moves to the start of the line and deletes it.
    static let clear = "\r\u{1B}[K"

    /// - Parameter interval: the shortest time between two drawings; a terminal is slow.
    package init(interval: Duration) { self.interval = interval }

    /// Draws the text that `line` returns for the terminal's width in columns, unless the last drawing was too recent.
    package mutating func draw(always: Bool = false, _ line: (_ columns: Int) -> String) {
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < interval, !always { return }
        lastDrawn = now
        ElapsedTime.hide()
        Console.write(Self.text(line(Console.columns)))
    }

    /// Deletes the line, if there is a terminal.
    package static func remove() { Console.error("", isReplacingLine: true) }

    /// A text in place of the line.
    static func text(_ line: String) -> String { "\r" + line.printable + "\u{1B}[K" }
}
