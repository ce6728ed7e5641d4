import Arguments
import FaceTracking
import FrameBenchmarks
import Installation
import JSON

/// `bauta lab bench live`.
enum LiveBenchCommand {
    private static let frames = Option<Int>(
        "frames", value: "count", in: 10...10_000_000, default: 300, help: "Process only the first N frames.")
    private static let size = Option<FrameSize>(
        "size", value: "WxH", absent: FrameSize(width: 1280, height: 720), limits: "16 to 8192 each; default: 1280x720",
        help: "Scale and crop the frames to this size."
    ) { (text) throws(InvalidValue) in try FrameSize(text) }

    static let definition = CommandDefinition(
        name: "live", overview: "Measure each stage of masking a clip as in live mode.",
        discussion: """
            Milliseconds per frame, from a decoded frame in memory to a masked one in memory, without a window. Frames are \
            decoded in blocks beforehand, so decoding is not measured. They are delivered at most at the clip's own \
            rate, and the detector runs on its own thread, as in live mode. 'computing' is the processor time of the \
            thread that draws, for finding occluders and drawing.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.", kind: .clip)],
        options: [
            MaskingOptions.mask, MaskingOptions.renderer, MaskingOptions.occluders, frames, size, CommonOptions.json,
        ],
        groups: [ModelOptions.group],
        examples: ["bauta lab bench live clip.mp4"], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let clip = arguments.positional[0]
        let size = arguments[size]
        let settings = LiveBenchmark.Settings(
            clip: clip, size: (size.width, size.height), frameLimit: arguments[frames],
            mask: arguments[MaskingOptions.mask], models: FaceModels(arguments),
            renderer: arguments[MaskingOptions.renderer], occluders: arguments[MaskingOptions.occluders])
        let result = try LiveBenchmark.run(settings, data: try DataFolder.find()) { Interrupt.isRequested }
        guard let result else { throw CommandFailure(.interrupted, "interrupted") }
        guard result.framesWithFaces > 0 else { throw CommandFailure(.dataError, "\(clip): no face was found in it") }
        if arguments[CommonOptions.json] { Console.output(jsonValue(result)) } else { Console.output(table(result)) }
        return .success
    }

    private static func jsonValue(_ result: LiveBenchmark.Result) -> JSONValue {
        let total = result.stages.last?.median ?? 0
        let milliseconds = result.stages.map { stage in
            JSONValue.Member(
                stage.name,
                .object([
                    "median": .number(DecimalText.rounded(stage.percentile(0.5))),
                    "p95": .number(DecimalText.rounded(stage.percentile(0.95))),
                    "p99": .number(DecimalText.rounded(stage.percentile(0.99))),
                    "share": .number(DecimalText.rounded(stage.percentile(0.5) / total)),
                ]))
        }
        return .object([
            "frames": .integer(result.frames), "framesWithFaces": .integer(result.framesWithFaces),
            "width": .integer(result.width), "height": .integer(result.height), "renderer": .string(result.renderer),
            "milliseconds": .object(milliseconds),
        ])
    }

    private static func table(_ result: LiveBenchmark.Result) -> String {
        let total = result.stages.last?.median ?? 0
        var table = TextTable([
            .left("ms", width: 10), .right("median", width: 7), .right("95%", width: 7), .right("99%", width: 7),
            .right("share", width: 6),
        ])
        for stage in result.stages {
            let cells = [0.5, 0.95, 0.99].map { DecimalText.fixed(stage.percentile($0), digits: 2) }
            let percent = Int((100 * stage.percentile(0.5) / total).rounded())
            table.rows.append([stage.name] + cells + ["\(percent) %"])
        }
        return
            "\(result.frames) frames of \(result.width) × \(result.height), \(result.framesWithFaces) of them measured "
            + "with a mask; \(result.renderer)\n\n" + table.text
    }
}
