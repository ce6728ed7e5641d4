import CommandLine
import Evaluation
import JSON
import Masking

/// `bauta bench photo`.
enum PhotoBenchCommand {
    private static let repetitions = Option(
        "repeat", letter: "n", value: "count", in: 1...10_000, default: 5, help: "Repetitions that are measured.")

    static let definition = CommandDefinition(
        name: "photo", overview: "Measure masking photographs, by stage, on one thread.",
        discussion: "Nothing is written. Figures are medians over the repetitions, after one that is not measured.",
        arguments: [ArgumentDefinition(name: "file", help: "Photographs.", repeats: true, kind: .photograph)],
        options: PhotoOptionKeys.maskingOptions + [repetitions, CommonOptions.json],
        examples: ["bauta bench photo portrait.jpg", "bauta bench photo --json --repeat 20 portrait.jpg"],
        showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let count = arguments[repetitions]
        let result = try PhotoBenchmark(
            photographs: arguments.positional, options: PhotoOptions(masking: arguments),
            data: try DataFolder.find(), repetitions: count, isStopped: { Interrupt.isRequested })
        if arguments[CommonOptions.json] {
            Console.output(json(result, count))
        } else {
            Console.output(text(result))
        }
        return .success
    }

    private static func json(_ result: PhotoBenchmark, _ repetitions: Int) -> JSONValue {
        let photographs = result.photographs.map { photograph in
            let stages = photograph.stages.map { ($0.name, $0.median) } + [("total", photograph.total)]
            return JSONValue.object([
                "path": .string(photograph.path), "width": .integer(photograph.width),
                "height": .integer(photograph.height), "faces": .integer(photograph.faces),
                "milliseconds": .object(stages.map { JSONValue.Member($0.0, .number(DecimalText.rounded($0.1))) }),
            ])
        }
        return .object(["repetitions": .integer(repetitions), "photographs": .array(photographs)])
    }

    private static func text(_ result: PhotoBenchmark) -> String {
        let headings = ["size", "faces"] + PhotoTimes.names + ["total ms"]
        var table = TextTable(headings.map { .right($0) } + [.left("photograph")])
        table.rows = result.photographs.map { row in
            ["\(row.width)x\(row.height)", "\(row.faces)"]
                + (row.stages.map(\.median) + [row.total]).map { DecimalText.fixed($0, digits: 1) } + [row.path]
        }
        return table.text
    }
}
