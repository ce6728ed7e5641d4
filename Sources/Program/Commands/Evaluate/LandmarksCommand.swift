import Arguments
import FaceEvaluation
import FaceTracking
import Files
import Installation
import JSON

/// `bauta lab evaluate landmarks`.
enum LandmarksCommand {
    static let definition = CommandDefinition(
        name: "landmarks", overview: "Measure landmarks against annotated pictures.",
        discussion: """
            Searches every picture in the folder that has a .pts file of the same name (68 points, iBUG's format), \
            and compares the face nearest to the annotation. The error is the mean distance as a fraction of \
            the distance between the outer corners of the eyes. Above 0.08, or if no face is found, it counts as a \
            failure (300-W's convention). --csv writes a line for each picture, --plot the cumulative curve. \
            --landmarks chooses the model.
            """,
        arguments: [ArgumentDefinition(name: "folder", help: "Pictures and their .pts files.", kind: .folder)],
        options: [CommonOptions.csv, CommonOptions.plot, CommonOptions.json], groups: [ModelOptions.group],
        examples: ["bauta lab evaluate landmarks samples", "bauta lab evaluate landmarks --plot curve.svg 300w/"],
        showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let result = try LandmarkEvaluation(
            folder: arguments.positional[0], models: FaceModels(arguments),
            reference: try DataFolder.find().referenceFace(), isStopped: { Interrupt.isRequested })
        try EvaluationOutput.write(
            arguments, csv: csv(result), plot: result.plot.svg, json: json(result), text: text(result))
        return .success
    }

    private static func csv(_ result: LandmarkEvaluation) -> String {
        "picture,error\n"
            + result.results.map { "\(CSV.quoted($0.picture)),\($0.error.map { "\($0)" } ?? "")\n" }.joined()
    }

    private static func json(_ result: LandmarkEvaluation) -> JSONValue {
        func rounded(_ value: Double) -> JSONValue { .number(DecimalText.rounded(value, digits: 5)) }
        return .object([
            "pictures": .integer(result.results.count), "found": .integer(result.errors.count),
            "failures": .integer(result.failures), "mean": result.mean.map(rounded) ?? .null,
            "median": result.median.map(rounded) ?? .null, "areaUnderCurve": rounded(result.areaUnderCurve),
            "errors": .array(
                result.results.map {
                    .object(["picture": .string($0.picture), "error": $0.error.map(rounded) ?? .null])
                }),
        ])
    }

    private static func text(_ result: LandmarkEvaluation) -> String {
        func fixed(_ value: Double?) -> String { value.map { DecimalText.fixed($0, digits: 4) } ?? "–" }
        let limit = LandmarkEvaluation.failureLimit
        return """
            \(result.results.count) pictures, face found in \(result.errors.count)
            mean error         \(fixed(result.mean))
            median             \(fixed(result.median))
            failures           \(result.failures)  (above \(limit), or not found)
            area under curve   \(fixed(result.areaUnderCurve))  (to \(limit))

            """
    }
}
