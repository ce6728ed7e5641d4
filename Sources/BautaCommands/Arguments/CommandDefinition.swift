/// What a command takes and does. Help, parsing and suggestions all come from this one description.
struct CommandDefinition: Sendable {
    let name: String
    let overview: String
    var discussion: String = ""
    var arguments: [ArgumentDefinition] = []
    var options: [OptionDefinition] = []
    var examples: [String] = []
    var subcommands: [CommandDefinition] = []
    /// Nil for a command that only groups others.
    var run: (@Sendable (ParsedArguments) throws -> ExitCode)?
}

/// An argument without a name.
struct ArgumentDefinition: Sendable {
    let name: String
    let help: String
    var repeats = false
    var isOptional = false
}

/// `--name`, `--name value`, `-n`.
struct OptionDefinition: Sendable {
    let name: String
    var letter: Character?
    /// What the value is called in the help; nil for a flag.
    var value: String?
    let help: String

    static let help = OptionDefinition(name: "help", letter: "h", help: "Show help information.")
}

/// What was found on the command line, checked against the definition for names and counts.
struct ParsedArguments: Sendable {
    /// The command with all its parents: "bauta mask list".
    let commandPath: String
    fileprivate(set) var positional: [String] = []
    fileprivate(set) var values: [String: String] = [:]

    init(commandPath: String) { self.commandPath = commandPath }

    func has(_ option: String) -> Bool { values[option] != nil }
    subscript(option: String) -> String? { values[option] }

    /// A whole number in a range.
    func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw invalid(option, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of some words.
    func word<Value: RawRepresentable & CaseIterable>(
        _ option: String, as type: Value.Type
    ) throws(UsageError) -> Value? where Value.RawValue == String {
        guard let text = values[option] else { return nil }
        guard let value = Value(rawValue: text) else {
            throw invalid(option, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    func invalid(_ option: String, _ reason: String) -> UsageError {
        UsageError("The value '\(values[option] ?? "")' is invalid for '--\(option)': it \(reason).", commandPath)
    }
}

/// A command line that makes no sense.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    let commandPath: String

    init(_ description: String, _ commandPath: String) {
        self.description = description
        self.commandPath = commandPath
    }
}

// MARK: Parsing

extension CommandDefinition {
    /// What a command line asks for.
    enum Request {
        case help(CommandDefinition, path: String)
        case run(CommandDefinition, ParsedArguments)
    }

    func parse(_ arguments: some Collection<String>, path: String? = nil) throws(UsageError) -> Request {
        let path = path ?? name
        var rest = Array(arguments)[...]
        if let first = rest.first, !subcommands.isEmpty {
            if first == "help" { return try helpRequest(for: rest.dropFirst(), path: path) }
            if let subcommand = subcommands.first(where: { $0.name == first }) {
                return try subcommand.parse(rest.dropFirst(), path: "\(path) \(first)")
            }
            if !first.hasPrefix("-") {
                throw UsageError(
                    "Unknown command '\(first)'.\(Suggestion.text(for: first, among: subcommands.map(\.name)))", path)
            }
        }
        var parsed = ParsedArguments(commandPath: path)
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.positional += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.positional.append(argument)
                continue
            }
            let (option, value) = try option(argument, path: path)
            if option.name == "help" { return .help(self, path: path) }
            guard option.value != nil else {
                if value != nil { throw UsageError("The option '--\(option.name)' does not take a value.", path) }
                parsed.values[option.name] = ""
                continue
            }
            guard let value = value ?? rest.popFirst() else {
                throw UsageError("Missing value for '--\(option.name) <\(option.value ?? "")>'.", path)
            }
            parsed.values[option.name] = value
        }
        try checkCount(of: parsed.positional, path: path)
        return run == nil ? .help(self, path: path) : .run(self, parsed)
    }

    private func helpRequest(for names: ArraySlice<String>, path: String) throws(UsageError) -> Request {
        var command = self
        var path = path
        for name in names {
            guard let next = command.subcommands.first(where: { $0.name == name }) else {
                throw UsageError(
                    "Unknown command '\(name)'.\(Suggestion.text(for: name, among: command.subcommands.map(\.name)))",
                    path)
            }
            command = next
            path += " \(name)"
        }
        return .help(command, path: path)
    }

    /// The option that an argument names, with the value after "=".
    private func option(_ argument: String, path: String) throws(UsageError) -> (OptionDefinition, String?) {
        let known = options + [.help]
        if argument.hasPrefix("--") {
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let option = known.first(where: { $0.name == name }) else {
                throw UsageError(
                    "Unknown option '--\(name)'.\(Suggestion.text(for: name, among: known.map(\.name), prefix: "--"))",
                    path)
            }
            return (option, parts.count > 1 ? String(parts[1]) : nil)
        }
        guard argument.count == 2, let option = known.first(where: { $0.letter == argument.last }) else {
            throw UsageError("Unknown option '\(argument)'.", path)
        }
        return (option, nil)
    }

    private func checkCount(of positional: [String], path: String) throws(UsageError) {
        guard run != nil else { return }
        if positional.count < arguments.count, !arguments[positional.count].isOptional {
            throw UsageError("Missing expected argument '<\(arguments[positional.count].name)>'.", path)
        }
        if positional.count > arguments.count, arguments.last?.repeats != true {
            throw UsageError("Unexpected argument '\(positional[arguments.count])'.", path)
        }
    }
}

/// "Did you mean …?"
enum Suggestion {
    static func text(for word: String, among candidates: [String], prefix: String = "") -> String {
        let ranked = candidates.map { ($0, distance(word, $0)) }.filter { candidate, distance in
            distance <= max(1, word.count / 3) || (word.count > 1 && candidate.hasPrefix(word))
        }
        guard let best = ranked.min(by: { $0.1 < $1.1 })?.0 else { return "" }
        return " Did you mean '\(prefix)\(best)'?"
    }

    /// Edits from one word to another: insertions, deletions, substitutions, swaps of neighbours (Damerau 1964, the
    /// restricted form).
    static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
