import CommandLine
import Masking

/// Progress on standard error: a bar on a terminal, otherwise one line per photograph.
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
    /// How photographs with faces are called in the counts.
    private let success: String
    /// How faces can be found that were missed.
    private let hint: String?
    private let start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(100))
    private(set) var counts = Counts()

    init(style: Style, total: Int, drawsMask: Bool = true, hint: String? = nil) {
        self.style = style
        self.total = total
        success = drawsMask ? "masked" : "with faces"
        self.hint = hint
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
            Console.error("bauta: \(outcome.error ?? outcome.input.description)\n", isReplacingLine: style == .bar)
        } else if style == .lines {
            Console.error(Self.line(outcome))
        }
        if style == .bar { draw() }
    }

    static func line(_ outcome: PhotoOutcome) -> String {
        if outcome.status == .ignored { return "\(outcome.error ?? outcome.input.description)\n" }
        let count = outcome.faces.count
        let faces = outcome.status == .noFace ? "no face" : "\(count) \(count == 1 ? "face" : "faces")"
        return "\(outcome.input): \(faces)\(outcome.output.map { " -> \($0)" } ?? "")\n"
    }

    /// Ends the display with a line that sums up.
    mutating func finish(interrupted: Bool) {
        if style == .bar { StatusLine.remove() }
        if style == .quiet && !interrupted { return }
        let seconds = Double((ContinuousClock.now - start).milliseconds) / 1000
        var parts = ["\(counts.masked) \(success)", "\(counts.noFace) no face", "\(counts.failed) failed"]
        if counts.ignored > 0 {
            parts.append("\(counts.ignored) not \(counts.ignored == 1 ? "a picture" : "pictures")")
        }
        let end = interrupted ? "interrupted after \(counts.done) of \(total)" : "\(counts.done) done"
        Console.error("\(end): \(parts.joined(separator: ", ")) in \(DurationText.text(seconds))\n")
        if counts.noFace > 0, let hint { Console.error("  If a face was missed: \(hint)\n") }
    }

    private mutating func draw() {
        let seconds = (ContinuousClock.now - start).milliseconds / 1000
        statusLine.draw(always: counts.done >= total) { [counts, total, success] columns in
            Self.bar(counts, total: total, success: success, seconds: seconds, columns: columns)
        }
    }

    static func bar(_ counts: Counts, total: Int, success: String, seconds: Double, columns: Int) -> String {
        let note = "\(counts.masked) \(success), \(counts.noFace) no face, \(counts.failed) failed"
        return ProgressBar.text(done: counts.done, total: total, seconds: seconds, note: note, columns: columns)
    }
}
