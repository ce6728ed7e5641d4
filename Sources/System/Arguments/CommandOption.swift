import Files

/// An element of a command's list of options: `Option` and `Flag`.
package protocol CommandOption: Sendable {
    var definition: OptionDefinition { get }
}

/// `--name`, `--name value`, `-n`: what the parser and the help need to know of an option, without its type.
package struct OptionDefinition: Sendable {
    package let name: String
    package var letter: Character?
    /// The name of the value in the help; nil for a flag.
    package var value: String?
    /// The help text, one or two lines, without range and default.
    package let help: String
    /// The text of the manual page; nil: the help text.
    package var details: String?
    /// Whether help, completions and manual pages leave it out: an option for tests.
    package var isHidden = false
    /// Former names. They are accepted with a warning.
    package var deprecatedNames: [String] = []
    /// The kind of the value, for completions.
    package var kind = ValueKind.text
    /// What counts if no value follows: at the end, or before another option; nil: a value is needed.
    var impliedValue: FilePath?
    /// Advice instead of giving the option twice; nil: the last one counts.
    var adviceIfRepeated: String?
    /// The range and the default, as the help shows them: "1 to 100; default: 92".
    var limits: String?
    /// Turns the text of a value into the value, or says what it must be.
    var parse: @Sendable (FilePath) throws(InvalidValue) -> any Sendable = { $0 }

    init(name: String, letter: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    static let help = OptionDefinition(name: "help", letter: "h", help: "Show this help.")

    /// The placeholders of range and default, in brackets, if there are any.
    var limitsText: String { limits.map { " (\($0))" } ?? "" }
}

/// Why the text of an option's value is not accepted.
package struct InvalidValue: Error, Equatable {
    /// Completes the sentence that begins with "it": "must be a whole number from 1 to 100".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
