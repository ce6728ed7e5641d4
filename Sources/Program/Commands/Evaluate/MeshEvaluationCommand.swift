import Arguments
import FaceGeometry
import FaceTracking
import ImageFiles
import Installation
import JSON
import TrackingEvaluation

/// `bauta lab evaluate mesh`.
enum MeshEvaluationCommand {
    private static let output = Option<String?>(
        "output", letter: "o", value: "file", defaultText: "none",
        help: "Draw heads with the mesh, as one PNG picture."
    ).takes(.file(["png"]))

    static let definition = CommandDefinition(
        name: "mesh", overview: "Measure the mesh on synthetic heads in many poses.",
        discussion: """
            Turns the synthetic heads of the samples through a grid of poses (yaw to 45°, pitch to 25°, roll to 40°), \
            estimates the head points from the landmarks of each picture, and compares them with their true positions. \
            Errors are fractions of the face's width. A triangle counts as folded if it is flipped while the \
            synthetic head still shows a quarter of it.
            """,
        arguments: [
            ArgumentDefinition(
                name: "clip", help: "Track the faces of this video, and count folded triangles of the skin.",
                isOptional: true, kind: .clip)
        ],
        options: [output, CommonOptions.json], groups: [ModelOptions.group],
        examples: [
            "bauta lab evaluate mesh", "bauta lab evaluate mesh clip.mp4",
            "bauta lab evaluate mesh --output poses.png",
        ], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let clip = arguments.positional.first
        if clip == nil { try ModelOptions.requireNone(arguments, without: "a clip") }
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        if let clip {
            let folds = try ClipFolds(
                clip: clip, models: FaceModels(arguments), mesh: mesh, reference: reference,
                isStopped: { Interrupt.isRequested })
            report(folds, asJSON: arguments[CommonOptions.json])
            return .success
        }
        let result = try MeshEvaluation(mesh: mesh, reference: reference) { Interrupt.isRequested }
        if let path = arguments[output] {
            let sheet = try PoseSheet.picture(reference: reference, drawFace: FaceMarks.drawing(mesh: mesh))
            try PictureWriter.write(Picture(pixels: sheet), to: path, options: .init(format: .png), replacing: true)
        }
        if arguments[CommonOptions.json] {
            Console.output(json(result))
        } else {
            Console.output(text(result))
        }
        return .success
    }

    private static func report(_ folds: ClipFolds, asJSON: Bool) {
        if asJSON {
            Console.output(
                .object([
                    "frames": .integer(folds.frames), "faces": .integer(folds.faces),
                    "folds": .integer(folds.folds), "framesWithFolds": .integer(folds.framesWithFolds),
                ]))
        } else {
            Console.output(
                "\(folds.frames) frames, \(folds.faces) faces in them, \(folds.triangles) triangles each: "
                    + "\(folds.folds) folded, in \(folds.framesWithFolds) frames\n")
        }
    }

    private static func json(_ result: MeshEvaluation) -> JSONValue {
        func rounded(_ value: Double) -> JSONValue { .number(DecimalText.rounded(value, digits: 4)) }
        return .object([
            "heads": .integer(result.heads), "meanError": rounded(result.errors.mean),
            "error95": rounded(result.errors.percentile(0.95)), "folds": .integer(result.folds),
            "yaw": .array(
                result.rows.map { row in
                    .object([
                        "yaw": .number(Double(row.yaw)), "meanError": rounded(row.errors.mean),
                        "folds": .integer(row.folds),
                    ])
                }),
            "points": .object(result.pointErrors.map { JSONValue.Member($0.name, rounded($0.mean)) }),
        ])
    }

    private static func text(_ result: MeshEvaluation) -> String {
        func percent(_ value: Double) -> String { DecimalText.fixed(100 * value, digits: 1) }
        var table = TextTable(
            [
                .right("yaw ", width: 4), .right("mean", width: 8), .right("95 %", width: 8),
                .right("folded", width: 8),
            ], separator: "")
        table.rows = result.rows.map { row in
            [
                DecimalText.fixed(Double(row.yaw), digits: 0), percent(row.errors.mean),
                percent(row.errors.percentile(0.95)), "\(row.folds)",
            ]
        }
        let points = result.pointErrors.map { "  \($0.name): \(percent($0.mean)) %\n" }
        return """
            \(result.heads) synthetic heads; errors in % of the face's width

            \(table.text)
            all: mean \(percent(result.errors.mean)) %, 95 % below \(percent(result.errors.percentile(0.95))) %, \
            folded \(result.folds)
            \(points.joined())
            """
    }
}
