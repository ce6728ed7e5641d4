import Arguments
import Files
import JSON

/// Where the result of a measurement over a folder goes: `--csv`, `--plot`, and the console with or without `--json`.
enum EvaluationOutput {
    /// - Throws: `FileError` if a file cannot be written.
    static func write(
        _ arguments: ParsedArguments, csv: @autoclosure () -> String, plot: @autoclosure () -> String,
        json: @autoclosure () -> JSONValue, text: @autoclosure () -> String
    ) throws {
        if let path = arguments[CommonOptions.csv] { try AtomicFile.write(csv(), to: path, replacing: true) }
        if let path = arguments[CommonOptions.plot] { try AtomicFile.write(plot(), to: path, replacing: true) }
        if arguments[CommonOptions.json] { Console.output(json()) } else { Console.output(text()) }
    }
}
