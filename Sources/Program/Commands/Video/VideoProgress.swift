import Arguments
import Clips
import Compositing
import Files
import Videos

/// Progress on standard error: a line that is redrawn on a terminal, and one line at the end.
struct VideoProgress {
    private let isQuiet: Bool
    /// Whether clips are processed to their end.
    private let isWhole: Bool
    private var start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(200))

    private var pass: VideoMasker.Summary.Pass?

    init(isQuiet: Bool, isWhole: Bool) {
        self.isQuiet = isQuiet
        self.isWhole = isWhole
    }

    mutating func note(_ summary: VideoMasker.Summary, _ information: ClipInformation) {
        guard !isQuiet, Console.errorIsTerminal else { return }
        // Each pass takes its own time.
        if summary.pass != pass { start = .now }
        pass = summary.pass
        let input =
            switch summary.pass {
            case .faces: "looking for faces in \(summary.input)"
            case .masking: summary.input.description
            }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        statusLine.draw { columns in
            Self.line(
                input: input, pass: summary.passCount > 1 ? (summary.passNumber, summary.passCount) : nil,
                frames: summary.pass == .masking ? summary.frames : summary.surveyedFrames,
                seconds: summary.pass == .masking ? summary.duration : summary.surveyedSeconds,
                total: information.frameCount, duration: information.duration, elapsed: elapsed, columns: columns)
        }
    }

    func finish(_ summary: VideoMasker.Summary) {
        guard !isQuiet else { return }
        let speed = DecimalText.fixed(summary.speed, digits: summary.speed < 1 ? 2 : 1)
        let frames = summary.frames == 1 ? "1 frame" : "\(summary.frames) frames"
        let done = summary.coveredFaces.map { "with covers (\($0 == 1 ? "1 track" : "\($0) tracks"))" } ?? "masked"
        Console.error(
            "\(summary.input): \(frames), \(summary.maskedFrames) \(done), "
                + "\(speed) times as fast as it plays -> \(summary.output)\n", isReplacingLine: true)
        if let blurred = summary.framesWithBlurredFaces, blurred > 0 {
            let frames = blurred == 1 ? "1 frame" : "\(blurred) frames"
            Console.error("  In \(frames), a face was blurred on which no mask fits, such as a profile.\n")
        }
        if summary.uncoveredInReview > 0 {
            let faces = summary.uncoveredInReview == 1 ? "One face was" : "\(summary.uncoveredInReview) faces were"
            Console.error("  \(faces) left uncovered, as was decided in the review.\n")
        }
        if summary.maskedFrames == 0, summary.framesWithBlurredFaces ?? 0 == 0 {
            Console.error("  \(Self.reasonForNoMask(summary))\n")
        }
        if summary.frames == 1, isWhole {
            Console.error("  A photograph? bauta photo masks it and keeps its format.\n")
        }
        if summary.sound == ClipSoundRequest.Finding.none {
            Console.error("  The mask follows sound, but this video has no audible sound.\n")
        }
        Console.error(Self.report(summary.unmaskedFaces, of: summary.input))
    }

    private static func reasonForNoMask(_ summary: VideoMasker.Summary) -> String {
        if summary.coveredFaces != nil { return "Nothing was covered, as was decided in the review." }
        guard summary.framesWithFaces > 0 else { return "No face was found. --min-face 2% finds smaller faces." }
        let frames = summary.framesWithFaces == 1 ? "1 frame" : "\(summary.framesWithFaces) frames"
        return "Faces were found in \(frames), but the options leave all of them unmasked."
    }

    /// Lines that say where a face was unmasked; empty if none was.
    static func report(_ unmasked: UnmaskedFaces, of input: FilePath) -> String {
        let stretches = unmasked.stretches
        guard !stretches.isEmpty else { return "" }
        let frames = unmasked.frameCount == 1 ? "1 frame" : "\(unmasked.frameCount) frames"
        var text = "\(input): in \(frames), a tracked face was not masked:\n"
        for stretch in stretches.prefix(10) {
            let isOne = stretch.firstFrame == stretch.lastFrame
            let times = TimeText.text(stretch.start) + (isOne ? "" : "–" + TimeText.text(stretch.end))
            let numbers = isOne ? "frame \(stretch.firstFrame)" : "frames \(stretch.firstFrame)–\(stretch.lastFrame)"
            text += "  \(times)  track \(stretch.trackID), \(numbers), \(stretch.until.words)\n"
        }
        if stretches.count > 10 { text += "  and \(stretches.count - 10) more, which --report lists\n" }
        return text
            + "  --when-lost keep keeps the mask for half a second, --when-lost blur blurs the picture for one second.\n"
    }

    /// At most one column narrower than the terminal; the file's name is shortened first.
    /// - Parameters:
    ///   - pass: the number of the present pass, and that of all; nil: there is only one.
    ///   - frames, seconds: of this pass, so far.
    ///   - elapsed: in this pass, in seconds.
    static func line(
        input: String, pass: (number: Int, count: Int)? = nil, frames: Int, seconds: Double, total: Int?,
        duration: Double?, elapsed: Double, columns: Int
    ) -> String {
        var text = pass.map { "pass \($0.number) of \($0.count), " } ?? ""
        text += "\(frames)" + (total.map { "/\($0)" } ?? "") + ((total ?? frames) == 1 ? " frame" : " frames")
        if elapsed > 0 { text += "  \(Int(Double(frames) / elapsed))/s" }
        if let duration, seconds > 0, duration > seconds {
            text += "  \(DurationText.text(elapsed * (duration / seconds - 1))) left"
        } else if duration == nil, let total, total > frames, frames > 0 {
            text += "  \(DurationText.text(elapsed * (Double(total) / Double(frames) - 1))) left"
        }
        let room = columns - 1 - text.count - 2
        if room >= 8 {
            text = (input.count > room ? "…" + input.suffix(room - 1) : input) + ": " + text
        }
        return String(text.prefix(max(0, columns - 1)))
    }
}

extension UnmaskedFaces.Stretch.End {
    fileprivate var words: String {
        switch self {
        case .foundAgain: "then found again"
        case .cut: "until a cut"
        case .endOfVideo: "until the end"
        case .blurred: "then blurred"
        case .notFoundAgain: "not found again within \(Int(UnmaskedFaces.likelySeconds)) s"
        }
    }
}
