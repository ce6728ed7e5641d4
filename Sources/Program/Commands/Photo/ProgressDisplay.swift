import Arguments
import Files
import PhotoRecords

/// Progress on standard error: a bar on a terminal, otherwise one line per photograph, or for a log one line a minute.
struct ProgressDisplay {
    enum Style {
        case bar
        case lines
        case log
        case quiet
    }

    private static let minute = Duration.seconds(60)
    private let style: Style
    private let total: Int
    private let start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(100))
    /// Of a log.
    private var nextLine = ContinuousClock.now + minute
    private var summary: PhotoSummary
    /// Photographs whose result would overwrite another file. Folders with the same names inside have many.
    private var clashes = 0

    var counts: PhotoSummary.Counts { summary.counts }
    var mayTryAgain: Bool { summary.mayTryAgain }

    init(style: Style, total: Int, summary: PhotoSummary) {
        self.style = style
        self.total = total
        self.summary = summary
    }

    /// Says what must be known before the first photograph.
    func begin() {
        if style != .quiet, let text = summary.beginning(total: total) { Console.error(text) }
    }

    mutating func note(_ outcome: PhotoOutcome) {
        summary.note(outcome)
        // What failed is always said.
        if outcome.status == .failed {
            if outcome.failure == .clash { clashes += 1 }
            if outcome.failure != .clash || clashes <= PhotoSummary.longestList {
                Console.failure(outcome.error ?? outcome.input.description, isReplacingLine: style == .bar)
            }
        } else if style == .lines {
            Console.error(Self.line(outcome))
        }
        if style == .bar { draw() }
        if style == .log, .now >= nextLine {
            nextLine = .now + Self.minute
            let seconds = (ContinuousClock.now - start).milliseconds / 1000
            let note = Self.note(counts, success: summary.success)
            Console.error(
                ProgressBar.line(done: counts.done, total: total, seconds: seconds, note: note) + "\n")
        }
    }

    static func line(_ outcome: PhotoOutcome) -> String {
        if outcome.status == .ignored { return "\(outcome.error ?? outcome.input.description)\n" }
        let place = outcome.output.map { " -> \($0)" } ?? ""
        if outcome.isFromEarlierRun { return "\(outcome.input): done in an earlier run\(place)\n" }
        return "\(outcome.input): \(PhotoSummary.findings(outcome))\(place)\n"
    }

    /// Ends the display with what sums up.
    mutating func finish(interrupted: Bool) {
        if style == .bar { StatusLine.remove() }
        let rest = clashes - PhotoSummary.longestList
        if rest > 0 {
            let subject = rest == 1 ? "1 more photograph was" : "\(rest) more photographs were"
            Console.failure("\(subject) not masked, because the result would overwrite another file; \(summary.list)")
        }
        if style == .quiet && !interrupted { return }
        let seconds = Double((ContinuousClock.now - start).milliseconds) / 1000
        Console.error(summary.end(total: total, time: DurationText.text(seconds)))
    }

    /// The counts in a line.
    var line: String { summary.line(total: total) }

    private mutating func draw() {
        let seconds = (ContinuousClock.now - start).milliseconds / 1000
        let (counts, success) = (summary.counts, summary.success)
        statusLine.draw(always: counts.done >= total) { [total] columns in
            Self.bar(counts, total: total, success: success, seconds: seconds, columns: columns)
        }
    }

    static func bar(
        _ counts: PhotoSummary.Counts, total: Int, success: String, seconds: Double, columns: Int
    ) -> String {
        let note = note(counts, success: success)
        return ProgressBar.text(done: counts.done, total: total, seconds: seconds, note: note, columns: columns)
    }

    private static func note(_ counts: PhotoSummary.Counts, success: String) -> String {
        "\(counts.masked) \(success), \(counts.noFace) no face, \(counts.failed) failed"
    }
}
