import CommandLine
import FaceTracking
import ImageFiles
import JSON
import MaskRendering
import Masking

/// `bauta bench photo`: what each stage of masking a photograph costs.
enum BenchCommand {
    static let definition = CommandDefinition(
        name: "bench", overview: "Measure how long things take on this machine.",
        subcommands: [
            CommandDefinition(
                name: "photo", overview: "Measure masking photographs, by stage, on one thread.",
                discussion:
                    "Nothing is written. Figures are medians over the repetitions, after one that is not counted.",
                arguments: [ArgumentDefinition(name: "file", help: "Photographs.", repeats: true)],
                options: PhotoCommand.maskingOptions + [
                    OptionDefinition(name: "repeat", letter: "n", value: "count", help: "Repetitions. (default: 5)"),
                    OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
                ],
                examples: ["bauta bench photo portrait.jpg", "bauta bench photo --json --repeat 20 portrait.jpg"],
                run: photo),
            CommandDefinition(
                name: "landmarks",
                overview: "Measure finding landmarks, beside dlib's own evaluation of the same model.",
                discussion: "Microseconds a face, medians; both are measured in turns on the same faces.",
                arguments: [ArgumentDefinition(name: "file", help: "Photographs with faces.", repeats: true)],
                options: [
                    OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
                    OptionDefinition(name: "repeat", letter: "n", value: "count", help: "Repetitions. (default: 100)"),
                    OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
                ],
                examples: ["bauta bench landmarks portrait.jpg"], run: LandmarkBenchmark.run),
            TrackBenchmark.definition, LiveBenchmark.definition, RenderBenchmark.definition,
        ])

    private struct Row {
        var path: String
        var width: Int
        var height: Int
        var faces: Int
        /// In the order of `PhotoTimes.names`.
        var medians: [Double]

        var total: Double { medians.reduce(0, +) }
    }

    private static func photo(_ arguments: ParsedArguments) throws -> ExitCode {
        let options = try PhotoOptions(arguments)
        let repetitions = try arguments.integer("repeat", in: 1...10_000) ?? 5
        let studio = try PhotoStudio(options: options, data: try DataFolder.find())
        let masker = try PhotoMasker(studio: studio, options: options)
        let rows = try arguments.positional.map { try measure($0, masker: masker, repetitions: repetitions) }
        Console.output(arguments.has("json") ? json(rows, repetitions).text(indented: true) + "\n" : table(rows))
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
        let medians = PhotoTimes.names.indices.map { stage in median(samples.map { $0[stage] }) }
        return Row(
            path: path, width: last.width ?? 0, height: last.height ?? 0, faces: last.faces.count, medians: medians)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private static func json(_ rows: [Row], _ repetitions: Int) -> JSONValue {
        .object([
            "repetitions": .integer(repetitions),
            "photographs": .array(
                rows.map { row in
                    .object([
                        "path": .string(row.path), "width": .integer(row.width), "height": .integer(row.height),
                        "faces": .integer(row.faces),
                        "milliseconds": .object(
                            zip(PhotoTimes.names, row.medians).map { JSONValue.Member($0, .number(rounded($1))) }
                                + [JSONValue.Member("total", .number(rounded(row.total)))]),
                    ])
                }),
        ])
    }

    static func rounded(_ value: Double, _ digits: Int = 2) -> Double {
        let factor = (0..<digits).reduce(1.0) { result, _ in 10 * result }
        return (value * factor).rounded() / factor
    }

    private static func table(_ rows: [Row]) -> String {
        let headings = ["size", "faces"] + PhotoTimes.names + ["total ms", "photograph"]
        let cells = rows.map { row in
            ["\(row.width)x\(row.height)", "\(row.faces)"] + (row.medians + [row.total]).map { fixed($0) } + [row.path]
        }
        let all = [headings] + cells
        let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { line in
            zip(line, widths).enumerated().map { index, cell in
                index == headings.count - 1
                    ? cell.0 : String(repeating: " ", count: cell.1 - cell.0.count) + cell.0
            }.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// One decimal, always shown.
    static func fixed(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
