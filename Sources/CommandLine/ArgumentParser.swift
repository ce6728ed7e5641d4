/// Splits the words of one command into options and arguments, by POSIX and GNU conventions: `--name value`,
/// `--name=value`, `-n value`, `-nvalue`, combined flags (`-rf`), and `--` before arguments that begin with a dash.
struct ArgumentParser {
    private(set) var parsed: ParsedArguments
    private let options: [OptionDefinition]
    private let path: String
    private var rest: ArraySlice<String>

    init(_ command: CommandDefinition, path: String, words: ArraySlice<String>) {
        options = command.allOptions
        self.path = path
        rest = words
        parsed = ParsedArguments(commandPath: path, known: Set(options.map(\.name)))
    }

    /// - Returns: false if the words ask for help.
    mutating func parse() throws(UsageError) -> Bool {
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.positional += rest
                break
            }
            // A dash by itself is an argument: standard input or output.
            guard word.hasPrefix("-"), word != "-" else {
                parsed.positional.append(word)
                continue
            }
            let goesOn = word.hasPrefix("--") ? try takeName(word.dropFirst(2)) : try takeLetters(word)
            if !goesOn { return false }
        }
        return true
    }

    private mutating func takeName(_ text: Substring) throws(UsageError) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let option = try option(named: name)
        if option.name == OptionDefinition.help.name { return false }
        try take(option, attached: parts.count > 1 ? String(parts[1]) : nil)
        return true
    }

    private mutating func option(named name: String) throws(UsageError) -> OptionDefinition {
        if let option = options.first(where: { $0.name == name }) { return option }
        if let option = options.first(where: { $0.deprecatedNames.contains(name) }) {
            let warning = "--\(name) is now called --\(option.name)"
            if !parsed.warnings.contains(warning) { parsed.warnings.append(warning) }
            return option
        }
        let suggestion = Suggestion.text(for: name, among: options.map(\.name), prefix: "--")
        throw UsageError("Unknown option '--\(name)'.\(suggestion)", path)
    }

    /// `-r`, `-rf`, `-m skull`, `-mskull`, `-rm skull`.
    private mutating func takeLetters(_ word: String) throws(UsageError) -> Bool {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw UsageError(
                    word.count == 2 ? "Unknown option '\(word)'." : "Unknown option '-\(letter)' in '\(word)'.", path)
            }
            if option.name == OptionDefinition.help.name { return false }
            if option.value == nil {
                guard letters.first != "=" else { throw takesNoValue(option) }
                try take(option, attached: nil)
            } else {
                let value = letters.first == "=" ? letters.dropFirst() : letters
                try take(option, attached: letters.isEmpty ? nil : String(value))
                break
            }
        }
        return true
    }

    private mutating func take(_ option: OptionDefinition, attached: String?) throws(UsageError) {
        guard let valueName = option.value else {
            if attached != nil { throw takesNoValue(option) }
            parsed.texts[option.name] = ""
            return
        }
        guard let text = attached ?? rest.popFirst() else {
            throw UsageError("Missing value for '--\(option.name) <\(valueName)>'.", path)
        }
        parsed.texts[option.name] = text
        do {
            parsed.values[option.name] = try option.parse(text)
        } catch {
            throw parsed.invalid(option, error.reason)
        }
    }

    private func takesNoValue(_ option: OptionDefinition) -> UsageError {
        UsageError("The option '--\(option.name)' does not take a value.", path)
    }
}
