/// Comma-separated values (RFC 4180).
enum CSV {
    /// Text in quotes.
    static func quoted(_ text: String) -> String {
        "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
