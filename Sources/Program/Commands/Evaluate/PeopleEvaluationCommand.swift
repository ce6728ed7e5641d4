import Arguments
import FaceEvaluation
import FaceRecognition
import FaceTracking
import Files
import JSON

/// `bauta lab evaluate people`.
enum PeopleEvaluationCommand {
    static let definition = CommandDefinition(
        name: "people", overview: "Measure how reliably people are told apart.",
        discussion: """
            Compares every face with every other face, then enrols everybody with half of their faces and identifies \
            the other half. The folder '\(PeopleEvaluation.unknown)' holds people with a single photograph each. This \
            does not enrol anybody. --csv writes a line for each pair, --plot the receiver operating characteristic.
            """,
        arguments: [
            ArgumentDefinition(
                name: "folder", help: "A folder with one folder of photographs for each person.", takesPaths: true,
                kind: .folder)
        ],
        options: [CommonOptions.csv, CommonOptions.plot, CommonOptions.json], groups: [ModelOptions.group],
        examples: ["bauta lab evaluate people faces --plot roc.svg"], showsElapsedTime: true, run: run)

    /// The distances that the table shows besides those of 1 % and 0.1 % false accepts.
    private static let distances = [
        Float(0.4), 0.45, FaceRecognizer.acceptedDistance, 0.55, 0.6, FaceRecognizer.rejectedDistance,
    ]

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let result = try PeopleEvaluation(
            folder: arguments.paths[0], models: FaceModels(arguments), isStopped: { Interrupt.isRequested })
        try EvaluationOutput.write(
            arguments, csv: csv(result), plot: result.plot.svg, json: json(result), text: text(result))
        return .success
    }

    private static func points(_ result: PeopleEvaluation) -> [PeopleEvaluation.OperatingPoint] {
        (distances.map(result.point(at:)) + [0.01, 0.001].map(result.point(withFalseAccepts:)))
            .sorted { $0.distance < $1.distance }
    }

    private static func csv(_ result: PeopleEvaluation) -> String {
        "first,second,distance,samePerson\n"
            + result.pairs.map { pair in
                "\(CSV.quoted(pair.first)),\(CSV.quoted(pair.second)),"
                    + "\(DecimalText.rounded(Double(pair.distance), digits: 4)),\(pair.isGenuine)\n"
            }.joined()
    }

    private static func text(_ result: PeopleEvaluation) -> String {
        func share(_ value: Double) -> String { DecimalText.fixed(100 * value, digits: 2) + " %" }
        var curve = TextTable([.right("distance"), .right("false accepts"), .right("true accepts")])
        curve.rows = points(result).map { point in
            [DecimalText.fixed(Double(point.distance), digits: 3), share(point.falseAccepts), share(point.trueAccepts)]
        }
        var tallies = TextTable([
            .left("shown"), .right("faces"), .right("right"), .right("wrong"), .right("not certain"), .right("unknown"),
        ])
        tallies.rows = [("enrolled people", result.enrolled), ("strangers", result.strangers)].map { name, tally in
            [name, "\(tally.count)", "\(tally.right)", "\(tally.wrong)", "\(tally.uncertain)", "\(tally.unknown)"]
        }
        let milliseconds = DecimalText.fixed(result.milliseconds.median, digits: 1)
        return "\(result.faces) faces of \(result.people) people (\(result.faceless) photographs without a face, "
            + "\(result.unusable) with an unusable face), \(milliseconds) ms a face\n"
            + "\(result.genuineCount) pairs of one person, \(result.impostorCount) of two:\n\n" + curve.text + "\n"
            + tallies.text
    }

    private static func json(_ result: PeopleEvaluation) -> JSONValue {
        func tally(_ tally: PeopleEvaluation.Tally) -> JSONValue {
            .object([
                "faces": .integer(tally.count), "right": .integer(tally.right), "wrong": .integer(tally.wrong),
                "uncertain": .integer(tally.uncertain), "unknown": .integer(tally.unknown),
            ])
        }
        return .object([
            "faces": .integer(result.faces), "people": .integer(result.people),
            "withoutFace": .integer(result.faceless), "unusable": .integer(result.unusable),
            "genuinePairs": .integer(result.genuineCount), "impostorPairs": .integer(result.impostorCount),
            "milliseconds": .number(DecimalText.rounded(result.milliseconds.median)),
            "points": .array(
                points(result).map { point in
                    .object([
                        "distance": .number(DecimalText.rounded(Double(point.distance), digits: 4)),
                        "falseAccepts": .number(DecimalText.rounded(point.falseAccepts, digits: 6)),
                        "trueAccepts": .number(DecimalText.rounded(point.trueAccepts, digits: 6)),
                    ])
                }),
            "enrolled": tally(result.enrolled), "strangers": tally(result.strangers),
        ])
    }
}
