/// The answer to a command: one line, "ok", "ok TEXT" or "error TEXT".
package enum ControlReply: Equatable, Sendable {
    case done(String = "")
    /// The command has had no effect, with the reason.
    case refused(String)

    /// The line with its line break. Line breaks in the text become spaces.
    package var line: String {
        let text =
            switch self {
            case .done(let text): text.isEmpty ? "ok" : "ok \(text)"
            case .refused(let text): "error \(text)"
            }
        return text.map { $0.isNewline ? " " : String($0) }.joined() + "\n"
    }

    /// - Parameter line: without its line break.
    /// - Returns: nil if it is none.
    package init?(line: some Sequence<UInt8>) {
        let text = String(decoding: Array(line), as: UTF8.self)
        let word = text.prefix { $0 != " " }
        let rest = String(text.dropFirst(word.count + 1))
        switch word {
        case "ok": self = .done(rest)
        case "error": self = .refused(rest)
        default: return nil
        }
    }
}
