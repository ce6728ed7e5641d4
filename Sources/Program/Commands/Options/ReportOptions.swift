import Arguments
import Files

/// Where a command writes its report, lines of JSON: `--report FILE`, or standard output with `--json`.
struct ReportOptions: Sendable {
    let file: Option<FilePath?>
    let json: Flag

    /// - Parameters:
    ///   - content: the content of the report, without a full stop: "one line of JSON for each photograph".
    ///   - details: more about it, for the manual page.
    init(_ content: String, details: String = "") {
        let option = Option<FilePath?>("report", value: "file", help: "Write \(content) to a file.")
        file = option.details(
            "Write \(content) to a file; - is standard output.\(details.isEmpty ? "" : " " + details)")
        json = Flag("json", help: "Write the report to standard output.")
    }

    /// Nil: no report is wanted; "-": on standard output.
    /// - Throws: `UsageError` if both are given, or if a file for `--json` has been taken for an input.
    func place(_ arguments: ParsedArguments) throws(UsageError) -> FilePath? {
        guard arguments[json] else { return arguments[file] }
        if arguments.has(file) { throw arguments.invalid(json, "and '--report' exclude each other") }
        if let name = arguments.paths.first(where: { $0.fileExtension == "json" && !$0.exists }) {
            throw arguments.invalid(json, "takes no file; to write one, use --report \(name)")
        }
        return "-"
    }
}
