import CommandLine
import Evaluation
import FaceGeometry
import JSON
import Masking

/// `bauta evaluate stability`.
enum StabilityCommand {
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 3...10_000_000, defaultText: "all", help: "Stop after this number of frames.")
    private static let draw = Option<String?>(
        "draw", value: "folder", defaultText: "none",
        help: "Write each frame with the mesh as tracked live, as JPEG files in this folder.")

    static let definition = CommandDefinition(
        name: "stability", overview: "Measure how steady landmarks are in a clip, and how far they lag behind.",
        discussion: """
            Follows the largest face at the start in four ways: with dlib's evaluation of the model (dlib), with our \
            evaluation and a 1 € filter (oneEuro, at the setting with the least jitter whose lag is at most half a \
            frame), as in live mode (live), and with look-ahead smoothing (twoPass). Lengths are fractions of the \
            face's width. Jitter is the root mean square of second differences. Lag (in frames) and error are measured \
            against the unsmoothed landmarks under a symmetric Gaussian of 1.5 frames. See docs/tracking.md.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.")],
        options: [frames, CommonOptions.width, CommonOptions.model, draw, CommonOptions.json],
        examples: ["bauta evaluate stability --frames 300 clip.mp4"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        var settings = StabilityEvaluation.Settings(
            clip: arguments.positional[0], model: arguments[CommonOptions.model])
        settings.frames = arguments[frames]
        settings.width = arguments[CommonOptions.width]
        if let folder = arguments[draw] { settings.drawing = (folder, FaceMarks.drawing(mesh: try data.mesh())) }
        let result = try StabilityEvaluation(settings, reference: try data.referenceFace()) { Interrupt.isRequested }
        if arguments[CommonOptions.json] {
            Console.output(json(settings.clip, result))
        } else {
            Console.output(text(result))
        }
        return .success
    }

    private static func json(_ path: String, _ result: StabilityEvaluation) -> JSONValue {
        func rounded(_ value: Float) -> JSONValue { .number(DecimalText.rounded(Double(value), digits: 5)) }
        let modes = result.modes.map { mode in
            var members = [
                JSONValue.Member("name", .string(mode.name)), .init("jitter", rounded(mode.jitter)),
                .init("lag", rounded(mode.lag)), .init("error", rounded(mode.error)),
                .init("lostFrames", .integer(mode.lostFrames)), .init("largestStep", rounded(mode.largestStep)),
            ]
            if let switches = mode.identitySwitches { members.append(.init("identitySwitches", .integer(switches))) }
            return JSONValue.object(members)
        }
        return .object([
            "clip": .string(path), "frames": .integer(result.frames), "width": .integer(result.width),
            "height": .integer(result.height), "faceWidth": rounded(result.faceWidth), "modes": .array(modes),
            "events": .object(result.events.map { JSONValue.Member($0.name, .integer($0.count)) }),
            "milliseconds": .object(
                result.stages.map { JSONValue.Member($0.name, .number(DecimalText.rounded($0.median))) }),
        ])
    }

    private static func text(_ result: StabilityEvaluation) -> String {
        func fixed(_ value: Float, _ digits: Int) -> String { DecimalText.fixed(Double(value), digits: digits) }
        var table = TextTable(
            [
                .left("mode", width: 10), .right("jitter", width: 9), .right("lag", width: 7),
                .right("error", width: 9), .right("lost", width: 6), .right("largest step", width: 14), .left(""),
            ], separator: "")
        table.rows = result.modes.map { mode in
            [
                mode.name, fixed(mode.jitter, 5), fixed(mode.lag, 1), fixed(mode.error, 5), "\(mode.lostFrames)",
                fixed(mode.largestStep, 4), mode.note.map { "  " + $0 } ?? "",
            ]
        }
        let events = result.events.map { " \($0.name) \($0.count)" }.joined(separator: ",")
        let stages = result.stages.map { " \($0.name) \(DecimalText.fixed($0.median, digits: 2))" }
        return """
            \(result.frames) frames of \(result.width) × \(result.height), the face is \(fixed(result.faceWidth, 0)) \
            pixels wide

            \(table.text)
            identity switches: \(result.identitySwitches)
            events:\(events)
            milliseconds per frame (median):\(stages.joined(separator: ","))

            """
    }
}
