import CommandLine
import Evaluation
import ImageFiles
import JSON
import Masking

/// `bauta bench photo`.
enum PhotoBenchCommand {
    private static let repetitions = Option(
        "repeat", letter: "n", value: "count", in: 1...10_000, default: 5, help: "Repetitions that are measured.")

    static let definition = CommandDefinition(
        name: "photo", overview: "Measure masking photographs, by stage, on one thread.",
        discussion: "Nothing is written. Figures are medians over the repetitions, after one that is not measured.",
        arguments: [ArgumentDefinition(name: "file", help: "Photographs.", repeats: true)],
        options: PhotoOptionKeys.maskingOptions + [repetitions, CommonOptions.json],
        examples: ["bauta bench photo portrait.jpg", "bauta bench photo --json --repeat 20 portrait.jpg"],
        run: run)

    private struct Row {
        var path: String
        var width: Int
        var height: Int
        var faces: Int
        var stages: [Samples]

        var total: Double { stages.reduce(0) { $0 + $1.median } }
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let options = PhotoOptions(masking: arguments)
        let studio = try PhotoStudio(options: options, data: try DataFolder.find())
        let masker = try PhotoMasker(studio: studio, options: options)
        let count = arguments[repetitions]
        let rows = try arguments.positional.map { try measure($0, masker: masker, repetitions: count) }
        if arguments[CommonOptions.json] {
            Console.output(json(rows, count))
        } else {
            Console.output(text(rows))
        }
        return .success
    }

    private static func measure(_ path: String, masker: PhotoMasker, repetitions: Int) throws -> Row {
        var samples: [[Double]] = []
        var last = PhotoOutcome(input: path, output: nil, status: .noFace)
        for repetition in 0...repetitions {
            let clock = ContinuousClock()
            let start = clock.now
            var picture = try PictureReader.read(path)
            last.times.decode = clock.now - start
            (last.width, last.height) = (picture.pixels.width, picture.pixels.height)
            try masker.mask(&picture, &last)
            let encoding = clock.now
            _ = try PictureWriter.encode(picture, options: .init(format: picture.format), path: path)
            last.times.encode = clock.now - encoding
            if repetition > 0 { samples.append(last.times.milliseconds) }
        }
        let stages = PhotoTimes.names.enumerated().map { index, name in Samples(name, samples.map { $0[index] }) }
        return Row(
            path: path, width: last.width ?? 0, height: last.height ?? 0, faces: last.faces.count, stages: stages)
    }

    private static func json(_ rows: [Row], _ repetitions: Int) -> JSONValue {
        .object([
            "repetitions": .integer(repetitions),
            "photographs": .array(
                rows.map { row in
                    let stages = row.stages.map { ($0.name, $0.median) } + [("total", row.total)]
                    return .object([
                        "path": .string(row.path), "width": .integer(row.width), "height": .integer(row.height),
                        "faces": .integer(row.faces),
                        "milliseconds": .object(
                            stages.map { JSONValue.Member($0.0, .number(DecimalText.rounded($0.1))) }),
                    ])
                }),
        ])
    }

    private static func text(_ rows: [Row]) -> String {
        let headings = ["size", "faces"] + PhotoTimes.names + ["total ms"]
        var table = TextTable(headings.map { .right($0) } + [.left("photograph")])
        table.rows = rows.map { row in
            ["\(row.width)x\(row.height)", "\(row.faces)"]
                + (row.stages.map(\.median) + [row.total]).map { DecimalText.fixed($0, digits: 1) } + [row.path]
        }
        return table.text
    }
}
