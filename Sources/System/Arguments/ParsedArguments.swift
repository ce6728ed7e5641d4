import Files

/// The arguments of one command, checked against its definition.
package struct ParsedArguments: Sendable {
    /// The command with its parents: "bauta mask list".
    package let commandPath: String
    /// The positional arguments, in order, as bytes.
    package internal(set) var paths: [FilePath] = []
    /// The same as text; bytes that are not UTF-8 become U+FFFD.
    package var positional: [String] { paths.map(\.decoded) }
    /// Sentences about options that were given under a former name.
    package internal(set) var warnings: [String] = []
    /// By name: the text as it was given (empty for flags), and what became of it.
    var texts: [String: String] = [:]
    var values: [String: any Sendable] = [:]
    /// The names of the command's options.
    let known: Set<String>

    init(commandPath: String, known: Set<String>) {
        self.commandPath = commandPath
        self.known = known
    }

    /// The option's value, or the value that holds if it is not given.
    package subscript<Value>(option: Option<Value>) -> Value {
        assert(known.contains(option.definition.name), "\(commandPath) has no option \(option.definition.name)")
        return values[option.definition.name] as? Value ?? option.absent
    }

    /// Whether the flag was given.
    package subscript(flag: Flag) -> Bool {
        assert(known.contains(flag.definition.name), "\(commandPath) has no flag \(flag.definition.name)")
        return has(flag)
    }

    /// Whether the option was given.
    package func has(_ option: some CommandOption) -> Bool { texts[option.definition.name] != nil }

    /// Those of some options that were given, as words of a command line: "--detector", "hog".
    package func words(of options: [any CommandOption]) -> [String] {
        options.flatMap { option -> [String] in
            guard let text = texts[option.definition.name] else { return [] }
            return ["--\(option.definition.name)"] + (option is Flag ? [] : [text])
        }
    }

    /// An error about the value of an option, found after parsing.
    package func invalid(_ option: some CommandOption, _ reason: String) -> UsageError {
        invalid(option.definition, reason)
    }

    func invalid(_ option: OptionDefinition, _ reason: String) -> UsageError {
        let value = texts[option.name] ?? ""
        // Of an option that takes no value.
        if value.isEmpty { return UsageError("'--\(option.name)' \(reason).", commandPath) }
        return UsageError("The value '\(value)' is invalid for '--\(option.name)': it \(reason).", commandPath)
    }
}
