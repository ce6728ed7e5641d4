import Arguments
import Compositing
import Files

/// The results of `bauta track` so far, and its progress on standard error.
final class TrackProgress {
    private let input: String
    private let output: FilePath
    private let limit: Int?
    private let isQuiet: Bool
    private let start = ContinuousClock.now
    private var statusLine = StatusLine(interval: .milliseconds(200))
    private var frames = 0
    private var framesWithFaces = 0
    private var seconds = 0.0
    private var trackIDs: Set<Int> = []
    private var lastWaiting: String?
    private var lastTrouble: String?

    /// - Parameter limit: the number of frames asked for; nil: all.
    init(input: String, output: FilePath, limit: Int?, isQuiet: Bool) {
        self.input = input
        self.output = output
        self.limit = limit
        self.isQuiet = isQuiet
    }

    /// The name of the output, for the user.
    var target: String { output == "-" ? "standard output" : output.description }
    /// Whether there are as many frames as were asked for.
    var isEnough: Bool { limit.map { frames >= $0 } ?? false }

    func note(_ frame: borrowing Frame) {
        frames += 1
        framesWithFaces += frame.faces.isEmpty ? 0 : 1
        trackIDs.formUnion(frame.faces.map(\.trackID))
        seconds = frame.seconds ?? 0
        // Lines on the terminal are progress enough.
        guard !isQuiet, Console.errorIsTerminal, output != "-" else { return }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        statusLine.draw { columns in
            VideoProgress.line(
                input: input, frames: frames, seconds: seconds, total: limit, duration: nil, elapsed: elapsed,
                columns: columns)
        }
    }

    /// Tells once why there are no frames just now.
    func note(waiting reason: String?) {
        guard reason != lastWaiting else { return }
        lastWaiting = reason
        if let reason { Console.error("bauta: \(reason)\n") }
    }

    /// Tells once why nothing is heard.
    func note(trouble: String?) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        if let trouble { Console.warning(trouble) }
    }

    func finish() {
        guard !isQuiet else { return }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        Console.error(
            "\(input): \(count(frames, "frame")), \(framesWithFaces) with faces, "
                + "\(count(trackIDs.count, "track")) -> \(target)\n", isReplacingLine: output != "-")
    }
}
