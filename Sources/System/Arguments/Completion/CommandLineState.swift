/// How far an unfinished command line is: which command, and what its next word can be.
struct CommandLineState {
    private(set) var command: CommandDefinition
    /// Arguments that are no options.
    private(set) var positional: [String] = []
    /// The names of the options so far.
    private(set) var given: Set<String> = []
    /// The option whose value the next word is.
    private(set) var awaiting: OptionDefinition?
    /// Whether `--` has ended the options.
    private(set) var optionsAreOver = false
    /// Whether the words after `help` name a command.
    private(set) var namesCommand = false

    init(_ root: CommandDefinition) { command = root }

    /// Whether the next word may be the name of a subcommand.
    var takesSubcommand: Bool {
        !command.subcommands.isEmpty && positional.isEmpty && given.isEmpty && !optionsAreOver
    }

    /// The argument that the next word is, if it is no option.
    var argument: ArgumentDefinition? {
        if positional.count < command.arguments.count { return command.arguments[positional.count] }
        return command.arguments.last.flatMap { $0.repeats ? $0 : nil }
    }

    mutating func read(_ word: String) {
        if awaiting != nil {
            awaiting = nil
        } else if optionsAreOver || !word.hasPrefix("-") || word == "-" {
            readArgument(word)
        } else if word == "--" {
            optionsAreOver = true
        } else if word.hasPrefix("--") {
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let option = option(named: parts[0]) { note(option, hasValue: parts.count > 1) }
        } else {
            readLetters(word)
        }
    }

    private mutating func readArgument(_ word: String) {
        if takesSubcommand {
            if word == "help", !namesCommand {
                namesCommand = true
                return
            }
            if let next = command.subcommands.first(where: { $0.name == word }) {
                command = next
                return
            }
        }
        positional.append(word)
    }

    private mutating func readLetters(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = command.allOptions.first(where: { $0.letter == letter }) else { return }
            note(option, hasValue: !letters.isEmpty)
            if option.value != nil { return }
        }
    }

    private mutating func note(_ option: OptionDefinition, hasValue: Bool) {
        given.insert(option.name)
        if option.value != nil, !hasValue { awaiting = option }
    }

    func option(named name: some StringProtocol) -> OptionDefinition? {
        command.allOptions.first { $0.name == name || $0.deprecatedNames.contains(String(name)) }
    }

    /// The option in `-mVALUE` or `-rmVALUE`, and the word up to its value.
    func optionWithAttachedValue(in word: String) -> (OptionDefinition, prefix: String)? {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), !optionsAreOver else { return nil }
        for (count, letter) in word.dropFirst().enumerated() {
            guard let option = command.allOptions.first(where: { $0.letter == letter }) else { return nil }
            if option.value != nil { return (option, String(word.prefix(count + 2))) }
        }
        return nil
    }
}
