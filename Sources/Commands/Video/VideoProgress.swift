import CommandLine
import Media

/// Progress on standard error: a line that is redrawn on a terminal, and one line at the end.
struct VideoProgress {
    private let input: String
    private let total: Int?
    private let duration: Double?
    private let isQuiet: Bool
    private let start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(200))

    init(input: String, information: ClipInformation, isQuiet: Bool) {
        self.input = input
        self.isQuiet = isQuiet
        duration = information.duration
        total = information.frameCount
    }

    mutating func note(frames: Int, seconds: Double) {
        guard !isQuiet, Console.errorIsTerminal else { return }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        statusLine.draw { [input, total, duration] columns in
            Self.line(
                input: input, frames: frames, seconds: seconds, total: total, duration: duration, elapsed: elapsed,
                columns: columns)
        }
    }

    func finish(_ summary: VideoMasker.Summary) {
        guard !isQuiet else { return }
        let speed = Double(Int(summary.speed * 10)) / 10
        Console.error(
            "\(Console.errorIsTerminal ? StatusLine.clear : "")\(input): \(summary.frames) frames, \(summary.maskedFrames) "
                + "masked, \(speed) times real time -> \(summary.output)\n")
    }

    /// Never longer than the terminal is wide; the file's name gives way first.
    static func line(
        input: String, frames: Int, seconds: Double, total: Int?, duration: Double?, elapsed: Double, columns: Int
    ) -> String {
        var text = "\(frames)" + (total.map { "/\($0)" } ?? "") + " frames"
        if elapsed > 0 { text += "  \(Int(Double(frames) / elapsed))/s" }
        if let duration, seconds > 0, duration > seconds {
            text += "  \(DurationText.text(elapsed * (duration / seconds - 1))) left"
        }
        let room = columns - 1 - text.count - 2
        if room >= 8 {
            text = (input.count > room ? "…" + input.suffix(room - 1) : input) + ": " + text
        }
        return String(text.prefix(max(0, columns - 1)))
    }
}
