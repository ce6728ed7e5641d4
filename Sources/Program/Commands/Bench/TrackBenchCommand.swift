import Arguments
import FaceTracking
import Installation
import JSON
import TrackingEvaluation

/// `bauta lab bench track`.
enum TrackBenchCommand {
    private static let frames = Option(
        "frames", value: "count", in: 10...10_000_000, default: 300, help: "Stop after this number of frames.")

    static let definition = CommandDefinition(
        name: "track", overview: "Measure each stage of tracking the faces of a clip.",
        discussion: """
            Milliseconds per frame. The detector runs on its own thread, as in live mode, and is not counted. The \
            floor is measured on the same frames: one call of dlib's landmark predictor, one grey conversion and one \
            copy of the frame.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.", kind: .clip)],
        options: [frames, CommonOptions.width, CommonOptions.json], groups: [ModelOptions.group],
        examples: ["bauta lab bench track clip.mp4"], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let result = try TrackBenchmark(
            clip: arguments.positional[0], width: arguments[CommonOptions.width], frames: arguments[frames],
            models: FaceModels(arguments), reference: try DataFolder.find().referenceFace(),
            isStopped: { Interrupt.isRequested })
        if arguments[CommonOptions.json] {
            Console.output(json(result))
        } else {
            Console.output(text(result))
        }
        return .success
    }

    private static func json(_ result: TrackBenchmark) -> JSONValue {
        .object([
            "frames": .integer(result.frames), "framesWithFaces": .integer(result.faceCounts.values.count),
            "faces": .number(DecimalText.rounded(result.faceCounts.mean)), "width": .integer(result.width),
            "height": .integer(result.height), "milliseconds": StageTable.json(result.stages + [result.detector]),
            "floorMilliseconds": StageTable.json(result.floor), "ratio": .number(DecimalText.rounded(result.ratio)),
        ])
    }

    private static func text(_ result: TrackBenchmark) -> String {
        var table = StageTable.table(notes: "")
        table.rows = result.stages.map(StageTable.row) + [[]] + result.floor.map(StageTable.row) + [[]]
        table.rows.append(StageTable.row(result.detector) + ["  on its own thread"])
        return """
            \(result.frames) frames of \(result.width) × \(result.height), \(result.faceCounts.values.count) of them \
            with faces, \(DecimalText.fixed(result.faceCounts.mean, digits: 1)) on average

            \(table.text)
            a frame takes \(DecimalText.fixed(result.ratio, digits: 2)) times the floor

            """
    }
}
