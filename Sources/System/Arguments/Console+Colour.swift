import Glibc

/// Colours for the first words of lines on terminals, by their numbers in ECMA-48.
package enum TextColour: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33

    /// Whether a stream shows colours: terminals do, pipes and files do not. `NO_COLOR` (no-color.org) turns them off
    /// everywhere, `CLICOLOR=0` on terminals, and `CLICOLOR_FORCE` on everywhere (bixense.com/clicolors).
    package static func areShown(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        if let value = environment("NO_COLOR"), !value.isEmpty { return false }
        if let value = environment("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
        return isTerminal && environment("TERM") != "dumb" && environment("CLICOLOR") != "0"
    }

    static func areShown(by descriptor: Int32) -> Bool {
        areShown(isTerminal: isatty(descriptor) == 1) { name in getenv(name).map { String(cString: $0) } }
    }

    /// A text in which lines that begin with one of the labels have it in its colour.
    package static func coloured(_ text: String, _ labels: [String: TextColour]) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let (label, colour) = labels.first(where: { line.hasPrefix($0.key) }) else { return String(line) }
            return "\u{1B}[\(colour.rawValue)m\(label)\u{1B}[0m\(line.dropFirst(label.count))"
        }.joined(separator: "\n")
    }
}

extension Console {
    /// Why something failed: "bauta: " and the text, which needs no line break.
    /// - Parameter isReplacingLine: whether it takes the place of a `StatusLine`, if there is a terminal.
    package static func failure(_ text: String, isReplacingLine: Bool = false) {
        error("bauta: \(text)\n", isReplacingLine: isReplacingLine, labels: ["bauta:": .red])
    }

    /// A warning: "bauta: warning: " and the text, which needs no line break.
    package static func warning(_ text: String) {
        error("bauta: warning: \(text)\n", labels: ["bauta: warning:": .yellow])
    }
}
