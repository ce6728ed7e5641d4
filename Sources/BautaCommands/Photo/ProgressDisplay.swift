import Glibc

/// Says on standard error how the work goes: a bar on a terminal, a line a photograph otherwise.
struct ProgressDisplay {
    enum Style {
        case bar
        case lines
        case quiet
    }

    struct Counts: Equatable {
        var masked = 0
        var noFace = 0
        var failed = 0
        var ignored = 0

        var done: Int { masked + noFace + failed + ignored }
    }

    private let style: Style
    private let total: Int
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private(set) var counts = Counts()

    init(style: Style, total: Int) {
        self.style = style
        self.total = total
    }

    mutating func note(_ outcome: PhotoOutcome) {
        switch outcome.status {
        case .masked: counts.masked += 1
        case .noFace: counts.noFace += 1
        case .failed: counts.failed += 1
        case .ignored: counts.ignored += 1
        }
        // What failed is always said.
        if outcome.status == .failed {
            Console.error("\(style == .bar ? "\r\u{1B}[K" : "")bauta: \(outcome.error ?? outcome.input)\n")
        } else if style == .lines && outcome.status != .ignored {
            Console.error(Self.line(outcome))
        }
        if style == .bar { draw() }
    }

    static func line(_ outcome: PhotoOutcome) -> String {
        let count = outcome.faces.count
        let faces = outcome.status == .noFace ? "no face" : "\(count) \(count == 1 ? "face" : "faces")"
        return "\(outcome.input): \(faces)\(outcome.output.map { " -> \($0)" } ?? "")\n"
    }

    /// Ends the display with a line that sums up.
    mutating func finish(interrupted: Bool) {
        if style == .bar { Console.error("\r\u{1B}[K") }
        if style == .quiet && !interrupted { return }
        let seconds = Double((ContinuousClock.now - start).milliseconds) / 1000
        var parts = ["\(counts.masked) masked", "\(counts.noFace) no face", "\(counts.failed) failed"]
        if counts.ignored > 0 { parts.append("\(counts.ignored) no pictures") }
        let end = interrupted ? "interrupted after \(counts.done) of \(total)" : "\(counts.done) done"
        Console.error("\(end): \(parts.joined(separator: ", ")) in \(Self.time(seconds))\n")
    }

    private mutating func draw() {
        // A terminal is slow; ten times a second is enough for anyone.
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < .milliseconds(100), counts.done < total { return }
        lastDrawn = now
        let seconds = (now - start).milliseconds / 1000
        Console.error("\r" + Self.bar(counts, total: total, seconds: seconds, columns: Console.columns) + "\u{1B}[K")
    }

    /// One line, never longer than the terminal is wide: the bar gives way first.
    static func bar(_ counts: Counts, total: Int, seconds: Double, columns: Int) -> String {
        let rate = seconds > 0 ? Double(counts.done) / seconds : 0
        let left = rate > 0 ? time(Double(total - counts.done) / rate) + " left" : ""
        let rateText = rate >= 10 ? "\(Int(rate))/s" : "\(Double(Int(rate * 10)) / 10)/s"
        let text =
            " \(counts.done)/\(total)  \(rateText)  \(left)  \(counts.masked) masked, \(counts.noFace) no face, "
            + "\(counts.failed) failed"
        let width = min(40, columns - 1 - text.count - 2)
        guard width >= 5 else { return String(text.prefix(max(0, columns - 1))) }
        let filled = total > 0 ? width * counts.done / total : 0
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]" + text
    }

    /// "4.2 s", "3 min 20 s", "2 h 5 min".
    static func time(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "?" }
        if seconds < 10 { return "\(Double(Int(seconds * 10)) / 10) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}
