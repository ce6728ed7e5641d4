/// The arguments of one command, checked against its definition.
package struct ParsedArguments: Sendable {
    /// The command with its parents: "bauta mask list".
    package let commandPath: String
    package internal(set) var positional: [String] = []
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

    /// An error about the value of an option, found after parsing.
    package func invalid(_ option: some CommandOption, _ reason: String) -> UsageError {
        invalid(option.definition.name, reason)
    }
}

// MARK: Options by string, until all commands declare typed options

extension ParsedArguments {
    package func has(_ option: String) -> Bool { texts[option] != nil }
    package subscript(option: String) -> String? { texts[option] }

    package func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = texts[option] else { return nil }
        do {
            return try IntegerRange.number(text, in: range)
        } catch {
            throw invalid(option, error.reason)
        }
    }

    package func word<Value: RawRepresentable & CaseIterable>(
        _ option: String, as type: Value.Type
    ) throws(UsageError) -> Value? where Value.RawValue == String {
        guard let text = texts[option] else { return nil }
        guard let value = Value(rawValue: text) else {
            throw invalid(option, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    package func invalid(_ option: String, _ reason: String) -> UsageError {
        UsageError("The value '\(texts[option] ?? "")' is invalid for '--\(option)': it \(reason).", commandPath)
    }
}
