/// What a command takes and does. The parser, the help, the suggestions, the completions
/// and the manual pages all use this description.
package struct CommandDefinition: Sendable {
    package let name: String
    package let overview: String
    package var discussion: String
    package var arguments: [ArgumentDefinition]
    package var options: [any CommandOption]
    package var examples: [String]
    package var subcommands: [CommandDefinition]
    /// Whether a terminal shows for how long the command has been working: for commands that may take more than a second
    /// and have no progress of their own.
    package var showsElapsedTime: Bool
    /// Whether help and completions leave it out: a command that other programs call.
    package var isHidden: Bool
    /// Nil for a command that only groups others.
    package var run: (@Sendable (ParsedArguments) throws -> ExitCode)?

    package init(
        name: String, overview: String, discussion: String = "", arguments: [ArgumentDefinition] = [],
        options: [any CommandOption] = [], examples: [String] = [], subcommands: [CommandDefinition] = [],
        showsElapsedTime: Bool = false, isHidden: Bool = false,
        run: (@Sendable (ParsedArguments) throws -> ExitCode)? = nil
    ) {
        self.name = name
        self.overview = overview
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.subcommands = subcommands
        self.showsElapsedTime = showsElapsedTime
        self.isHidden = isHidden
        self.run = run
    }

    /// All options, with `--help`.
    var allOptions: [OptionDefinition] { options.map(\.definition) + [.help] }

    package var visibleSubcommands: [CommandDefinition] { subcommands.filter { !$0.isHidden } }
}

/// An argument without a name.
package struct ArgumentDefinition: Sendable {
    package let name: String
    package let help: String
    package var repeats: Bool
    package var isOptional: Bool
    /// Whether the command looks it up in `ParsedArguments.paths`, so that it may be any bytes. Otherwise what is not UTF-8
    /// is refused.
    package var takesPaths: Bool
    /// What it is, for completions.
    package var kind: ValueKind

    package init(
        name: String, help: String, repeats: Bool = false, isOptional: Bool = false, takesPaths: Bool = false,
        kind: ValueKind = .text
    ) {
        self.kind = kind
        self.takesPaths = takesPaths
        self.name = name
        self.help = help
        self.repeats = repeats
        self.isOptional = isOptional
    }
}
