import Arguments
import FrameProcessing
import JSON
import TrackingEvaluation

/// `bauta lab bench landmarks`.
enum LandmarkBenchCommand {
    private static let repetitions = Option(
        "repeat", letter: "n", value: "count", in: 1...100_000, default: 100, help: "Repetitions for each face.")

    static let definition = CommandDefinition(
        name: "landmarks", overview: "Measure landmark detection against dlib's own evaluation of the same model.",
        discussion: "Median microseconds per face; both are measured alternately on the same faces.",
        arguments: [
            ArgumentDefinition(name: "file", help: "Photographs with faces.", repeats: true, kind: .photograph)
        ],
        options: [CommonOptions.model, repetitions, CommonOptions.json],
        examples: ["bauta lab bench landmarks portrait.jpg"], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let result = try LandmarkBenchmark(
            photographs: arguments.positional, model: arguments[CommonOptions.model],
            repetitions: arguments[repetitions], isStopped: { Interrupt.isRequested })
        let microseconds = [result.cascade, result.dlib].map { 1000 * $0.median }
        let loading = [result.cascadeLoading, result.dlibLoading].map { $0 / .milliseconds(1) }
        if arguments[CommonOptions.json] {
            func rounded(_ value: Double) -> JSONValue { .number(DecimalText.rounded(value)) }
            Console.output(
                .object([
                    "faces": .integer(result.faces), "repetitions": .integer(result.repetitions),
                    "microseconds": rounded(microseconds[0]), "dlibMicroseconds": rounded(microseconds[1]),
                    "ratio": rounded(result.ratio), "loadMilliseconds": rounded(loading[0]),
                    "dlibLoadMilliseconds": rounded(loading[1]),
                ]))
            return .success
        }
        var table = TextTable(
            [.left("", width: 10), .right("a face (µs)", width: 11), .right("loading (ms)", width: 15)], separator: "")
        table.rows = zip([result.cascade.name, result.dlib.name], zip(microseconds, loading)).map { name, values in
            [name, DecimalText.fixed(values.0, digits: 1), DecimalText.fixed(values.1, digits: 1)]
        }
        Console.output(
            """
            \(result.faces) faces, \(result.repetitions) times each
            \(table.text)ratio     \(DecimalText.rounded(result.ratio))

            """)
        return .success
    }
}
