/// Text for manual pages, in the language of man(7).
enum Roff {
    /// Plain text, with lines of at most 75 characters. It neither begins a request nor changes the font.
    static func text(_ text: String) -> String {
        let lines = HelpText.wrapped(text, columns: 75, indent: 0).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.map { protected(escaped(String($0))) }.joined(separator: "\n")
    }

    /// Lines that stay as they are.
    static func lines(_ lines: [String]) -> String { lines.map { protected(literal($0)) }.joined(separator: "\n") }

    static func bold(_ text: String) -> String { "\\fB\(literal(text))\\fP" }
    static func italic(_ text: String) -> String { "\\fI\(literal(text))\\fP" }

    /// Text for copying to a terminal: dashes, quotes and accents stay those of ASCII.
    static func literal(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "\"": escaped += "\\(dq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            default: escaped += Self.escaped(scalar)
            }
        }
        return escaped
    }

    private static func escaped(_ text: String) -> String {
        // A word with two dashes is an option, one with a slash a path.
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isCode = word.contains("--") || word.contains("/") || word.contains("'") || word.contains("~")
            return isCode ? literal(String(word)) : word.unicodeScalars.map { Self.escaped($0) }.joined()
        }.joined(separator: " ")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\\" { return "\\e" }
        return scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar.value))]"
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// A line that begins with a dot or an apostrophe would be a request.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
