/// The definition of a command. The parser, the help, the suggestions, the completions
/// and the manual pages all use this description.
package struct CommandDefinition: Sendable {
    package let name: String
    package let overview: String
    /// The long text, which only the manual page shows.
    package var discussion: String
    package var arguments: [ArgumentDefinition]
    package var groups: [OptionGroup]
    package var examples: [String]
    package var subcommands: [CommandDefinition]
    /// The topics of `help` besides commands.
    package var topics: [HelpTopic]
    /// Whether a terminal shows for how long the command has been working: for commands that may take more than a second
    /// and have no progress of their own.
    package var showsElapsedTime: Bool
    package var visibility: Visibility
    /// Nil for a command that only groups others.
    package var run: (@Sendable (ParsedArguments) throws -> ExitCode)?

    /// Where a command is named.
    package enum Visibility: Sendable {
        /// In help, completions and manual pages.
        case listed
        /// In manual pages, and in the help that asks for it by its name.
        case unlisted
        /// Nowhere: a command that other programs call.
        case hidden
    }

    /// - Parameter options: those that need no group; they come before the groups.
    package init(
        name: String, overview: String, discussion: String = "", arguments: [ArgumentDefinition] = [],
        options: [any CommandOption] = [], groups: [OptionGroup] = [], examples: [String] = [],
        subcommands: [CommandDefinition] = [], topics: [HelpTopic] = [], showsElapsedTime: Bool = false,
        visibility: Visibility = .listed, run: (@Sendable (ParsedArguments) throws -> ExitCode)? = nil
    ) {
        self.name = name
        self.overview = overview
        self.discussion = discussion
        self.arguments = arguments
        self.groups = (options.isEmpty ? [] : [OptionGroup("Options", options)]) + groups
        self.examples = examples
        self.subcommands = subcommands
        self.topics = topics
        self.showsElapsedTime = showsElapsedTime
        self.visibility = visibility
        self.run = run
    }

    package var options: [any CommandOption] { groups.flatMap(\.options) }

    /// All options, with `--help`.
    var allOptions: [OptionDefinition] { options.map(\.definition) + [.help] }

    package var listedSubcommands: [CommandDefinition] { subcommands.filter { $0.visibility == .listed } }
    /// Those that have manual pages.
    package var documentedSubcommands: [CommandDefinition] { subcommands.filter { $0.visibility != .hidden } }
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
    /// Its kind, for completions.
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
