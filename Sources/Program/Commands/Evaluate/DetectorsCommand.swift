import Arguments
import FaceEvaluation
import Files
import FrameProcessing
import JSON

/// `bauta lab evaluate detectors`.
enum DetectorsCommand {
    static let definition = CommandDefinition(
        name: "detectors", overview: "Compare face detectors on a folder of pictures.",
        discussion: """
            Each detector searches each picture upright at full size: MediaPipe's networks and CenterFace if installed, \
            dlib's HOG, and OpenCV's cascades. A detection is false if the picture has a .pts file and the face is not at its \
            place. Times are milliseconds for the first, second and tenth call on a picture; the first includes \
            setup. --csv writes a line for each detector and \
            picture, --plot the times by picture size.
            """,
        arguments: [ArgumentDefinition(name: "folder", help: "Pictures, with or without .pts files.", kind: .folder)],
        options: [CommonOptions.csv, CommonOptions.plot, CommonOptions.json],
        examples: ["bauta lab evaluate detectors samples"], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let result = try DetectorEvaluation(
            folder: arguments.positional[0], isStopped: { Interrupt.isRequested })
        try EvaluationOutput.write(
            arguments, csv: csv(result), plot: result.plot.svg, json: json(result), text: text(result))
        return .success
    }

    private static func csv(_ result: DetectorEvaluation) -> String {
        let lines = result.rows.map { row in
            let times = row.times.map { DecimalText.fixed($0, digits: 2) }.joined(separator: ",")
            return "\(row.detector),\(CSV.quoted(row.picture)),\(DecimalText.fixed(row.megapixels, digits: 3)),"
                + "\(row.found),\(row.falseFaces.map { "\($0)" } ?? ""),\(times)\n"
        }
        return "detector,picture,megapixels,found,false,firstMilliseconds,secondMilliseconds,tenthMilliseconds\n"
            + lines.joined()
    }

    private static func json(_ result: DetectorEvaluation) -> JSONValue {
        .object([
            "detectors": .array(
                result.rows.map { row in
                    .object([
                        "detector": .string(row.detector), "picture": .string(row.picture),
                        "found": .integer(row.found), "false": row.falseFaces.map { .integer($0) } ?? .null,
                        "milliseconds": .array(row.times.map { .number(DecimalText.rounded($0)) }),
                    ])
                })
        ])
    }

    private static func text(_ result: DetectorEvaluation) -> String {
        var table = TextTable(
            [
                .left("detector", width: 10), .right("found", width: 7), .right("false", width: 7),
                .right("first", width: 8), .right("second", width: 8), .right("tenth", width: 8), .left("  picture"),
            ], separator: "")
        table.rows = result.rows.map { row in
            [row.detector, "\(row.found)", row.falseFaces.map { "\($0)" } ?? "–"]
                + row.times.map { DecimalText.fixed($0, digits: 1) } + ["  " + row.picture]
        }
        func fixed(_ value: Double?) -> String { value.map { DecimalText.fixed($0, digits: 3) } ?? "–" }
        let totals = result.totals.map { total in
            "\(total.detector): \(total.found) found, \(total.falseFaces) of them false where annotated, precision "
                + "\(fixed(total.precision)), recall \(fixed(total.recall)), \(DecimalText.fixed(total.milliseconds, digits: 0)) ms in all\n"
        }
        return table.text + "\n" + totals.joined()
    }
}
