import CommandLine
import Files
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
        /// Of these, the ones that were done in an earlier run.
        var earlier = 0

        var done: Int { masked + noFace + failed + ignored }
    }

    private let style: Style
    private let total: Int
    /// How photographs with faces are called in the counts.
    private let success: String
    /// What is done with photographs that show no face.
    private let faceless: PhotoOptions.FacelessChoice
    /// How faces can be found that were missed.
    private let hint: String?
    /// The path of the report, if one is written.
    private let report: FilePath?
    /// The first photographs that show no face.
    private var facelessInputs: [FilePath] = []
    private static let longestList = 10
    private let start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(100))
    private(set) var counts = Counts()

    init(style: Style, total: Int, options: PhotoOptions, report: FilePath?) {
        self.style = style
        self.total = total
        success = options.isMasking ? "masked" : "with faces"
        faceless = options.faceless
        hint = options.hint
        self.report = report
    }

    /// Says what is done with photographs that show no face.
    func begin() {
        guard style != .quiet, total > 1, faceless == .copy else { return }
        Console.error(
            "Photographs in which no face is found are copied as they are; --no-face skip, blur or fail changes that.\n"
        )
    }

    mutating func note(_ outcome: PhotoOutcome) {
        switch outcome.status {
        case .masked: counts.masked += 1
        case .noFace:
            counts.noFace += 1
            if facelessInputs.count < Self.longestList { facelessInputs.append(outcome.input) }
        case .failed: counts.failed += 1
        case .ignored: counts.ignored += 1
        }
        if outcome.isFromEarlierRun { counts.earlier += 1 }
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
        let place = outcome.output.map { " -> \($0)" } ?? ""
        if outcome.isFromEarlierRun { return "\(outcome.input): done in an earlier run\(place)\n" }
        let count = outcome.faces.count
        let faces = outcome.status == .noFace ? "no face" : "\(count) \(count == 1 ? "face" : "faces")"
        return "\(outcome.input): \(faces)\(place)\n"
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
        let earlier = counts.earlier > 0 ? " (\(counts.earlier) in an earlier run)" : ""
        Console.error("\(end)\(earlier): \(parts.joined(separator: ", ")) in \(DurationText.text(seconds))\n")
        if counts.noFace > 0 { listFaceless() }
    }

    private func listFaceless() {
        let count = counts.noFace == 1 ? "1 photograph" : "\(counts.noFace) photographs"
        let fate =
            switch faceless {
            case .copy: counts.noFace == 1 ? "copied as it is" : "copied as they are"
            case .skip: "skipped"
            case .blur: "blurred"
            case .fail: "refused"
            }
        Console.error("No face was found in \(count), \(fate):\n")
        for input in facelessInputs { Console.error("  \(input)\n") }
        let rest = counts.noFace - facelessInputs.count
        if rest > 0 {
            let list = report.map { $0 == "-" ? "the report lists all" : "\($0) lists all" } ?? "--report lists all"
            Console.error("  and \(rest) more; \(list)\n")
        }
        if let hint { Console.error("  If a face was missed: \(hint)\n") }
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
