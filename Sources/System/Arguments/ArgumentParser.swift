import Files

/// Splits the words of one command into options and arguments, by POSIX and GNU conventions: `--name value`,
/// `--name=value`, `-n value`, `-nvalue`, combined flags (`-rf`), and `--` before arguments that begin with a dash.
struct ArgumentParser {
    private(set) var parsed: ParsedArguments
    private let options: [OptionDefinition]
    private let path: String
    /// Words are bytes, like the paths that many of them are.
    private var rest: ArraySlice<FilePath>

    init(_ command: CommandDefinition, path: String, words: ArraySlice<FilePath>) {
        options = command.allOptions
        self.path = path
        rest = words
        parsed = ParsedArguments(commandPath: path, known: Set(options.map(\.name)))
    }

    /// - Returns: false if the words ask for help.
    mutating func parse() throws(UsageError) -> Bool {
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.paths += rest
                break
            }
            // A dash by itself is an argument: standard input or output.
            guard word.bytes.first == Self.dash, word != "-" else {
                parsed.paths.append(word)
                continue
            }
            let goesOn = word.bytes[1] == Self.dash ? try takeName(word.bytes.dropFirst(2)) : try takeLetters(word)
            if !goesOn { return false }
        }
        return true
    }

    private static let dash = UInt8(ascii: "-")
    private static let equalsSign = UInt8(ascii: "=")

    private mutating func takeName(_ bytes: ArraySlice<UInt8>) throws(UsageError) -> Bool {
        let parts = bytes.split(separator: Self.equalsSign, maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts.first ?? [], as: UTF8.self)
        let option = try option(named: name)
        if option.name == OptionDefinition.help.name { return false }
        try take(option, attached: parts.count > 1 ? FilePath(bytes: parts[1]) : nil)
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
    private mutating func takeLetters(_ word: FilePath) throws(UsageError) -> Bool {
        var letters = word.bytes.dropFirst()
        while let byte = letters.first {
            guard let option = options.first(where: { $0.letter == Character(Unicode.Scalar(byte)) }) else {
                let (text, letter) = (word.decoded, String(decoding: letters, as: UTF8.self).prefix(1))
                let advice = word.exists ? " To name that file, write ./\(text)" : ""
                throw UsageError(
                    (text.count == 2 ? "Unknown option '\(text)'." : "Unknown option '-\(letter)' in '\(text)'.")
                        + advice, path)
            }
            letters.removeFirst()
            if option.name == OptionDefinition.help.name { return false }
            if option.value == nil {
                guard letters.first != Self.equalsSign else { throw takesNoValue(option) }
                try take(option, attached: nil)
            } else {
                let value = letters.first == Self.equalsSign ? letters.dropFirst() : letters
                try take(option, attached: letters.isEmpty ? nil : FilePath(bytes: value))
                break
            }
        }
        return true
    }

    private mutating func take(_ option: OptionDefinition, attached: FilePath?) throws(UsageError) {
        guard let valueName = option.value else {
            if attached != nil { throw takesNoValue(option) }
            parsed.texts[option.name] = ""
            return
        }
        guard let word = attached ?? implied(by: option) ?? rest.popFirst() else {
            throw UsageError("Missing value for '--\(option.name) <\(valueName)>'.", path)
        }
        if let advice = option.adviceIfRepeated, parsed.texts[option.name] != nil {
            throw UsageError("'--\(option.name)' is given twice: \(advice).", path)
        }
        parsed.texts[option.name] = word.description
        do {
            parsed.values[option.name] = try option.parse(word)
        } catch {
            throw parsed.invalid(option, error.reason)
        }
    }

    private func implied(by option: OptionDefinition) -> FilePath? {
        guard let value = option.impliedValue else { return nil }
        guard let next = rest.first else { return value }
        return next.bytes.first == Self.dash && next != "-" ? value : nil
    }

    private func takesNoValue(_ option: OptionDefinition) -> UsageError {
        UsageError("The option '--\(option.name)' does not take a value.", path)
    }
}
