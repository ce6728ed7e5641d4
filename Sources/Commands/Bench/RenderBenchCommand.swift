import CommandLine
import Evaluation
import Graphics
import JSON
import MaskRendering
import Masking

/// `bauta bench render`.
enum RenderBenchCommand {
    private static let repetitions = Option(
        "repeat", value: "count", in: 5...10_000, default: 61, help: "Drawings of each kind; medians are reported.")

    static let definition = CommandDefinition(
        name: "render", overview: "Measure drawing each kind of layer.",
        discussion: """
            Draws on a face 460 pixels high in a picture of 1280 × 720 pixels, opaque, as in a video. Figures \
            are milliseconds per frame from a picture in memory to a picture in memory, without finding the face. The \
            last line has twelve smaller faces in the same picture. "More" is the difference to a plain warp.
            """,
        options: [repetitions, CommonOptions.json], examples: ["bauta bench render"], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let result = try RenderBenchmark(
            renderer: renderer, reference: reference, repetitions: arguments[repetitions],
            isStopped: { Interrupt.isRequested })
        let plain = result.kinds.first?.median ?? 0
        if arguments[CommonOptions.json] {
            let kinds = result.kinds.map { kind in
                let figures = [
                    ("median", kind.median), ("p95", kind.percentile(0.95)), ("more", kind.median - plain),
                ]
                return JSONValue.Member(
                    kind.name,
                    .object(figures.map { JSONValue.Member($0.0, .number(DecimalText.rounded($0.1))) }))
            }
            Console.output(.object(["renderer": .string(result.renderer), "milliseconds": .object(kinds)]))
            return .success
        }
        var table = TextTable(
            [.left("ms", width: 25), .right("median", width: 9), .right("95%", width: 9), .right("more", width: 9)],
            separator: "")
        table.rows = result.kinds.map { kind in
            [kind.name]
                + [kind.median, kind.percentile(0.95), kind.median - plain].map { DecimalText.fixed($0, digits: 2) }
        }
        Console.output("\(result.renderer)\n\n\(table.text)")
        return .success
    }
}
