/// Comma-separated values (RFC 4180).
enum CSV {
    /// Text in quotes.
    static func quoted(_ text: String) -> String {
        "\"" + String(decoding: text.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }, as: UTF8.self) + "\""
    }
}
