import Arguments
import Files
import Installation

/// `bauta completions`, and `bauta complete`, which the shells' scripts call.
enum CompletionCommands {
    private enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    private static let quoted = Flag(
        "bash", help: "The words are quoted for bash. Print only completions of the last word.")

    static let definitions = [
        CommandDefinition(
            name: "completions", overview: "Print the completions for a shell.",
            discussion: """
                The Tab key completes commands, options, their values, mask names and suitable files. The package \
                installs the completions for all three shells. For a clone, add one of the examples to the shell's \
                start file.
                """,
            arguments: [
                ArgumentDefinition(
                    name: "shell", help: "bash, zsh or fish.", kind: .words(Shell.allCases.map(\.rawValue)))
            ],
            examples: [
                "source <(bauta completions bash)      # in ~/.bashrc",
                "source <(bauta completions zsh)       # in ~/.zshrc, after compinit",
                "bauta completions fish | source       # in ~/.config/fish/config.fish",
            ], run: print),
        CommandDefinition(
            name: "complete", overview: "Print completions for the last word of a command line.",
            arguments: [
                ArgumentDefinition(
                    name: "word", help: "The words after the program's name, after --.", repeats: true,
                    isOptional: true, takesPaths: true)
            ],
            options: [quoted], visibility: .hidden, run: complete),
    ]

    private static func print(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let shell = Shell(rawValue: arguments.positional[0]) else {
            throw UsageError(
                "There are completions for bash, zsh and fish, not for '\(arguments.positional[0])'.",
                arguments.commandPath)
        }
        Console.output(try FileContents.text(DataFolder.find().path / FilePath("completions/bauta.\(shell.rawValue)")))
        return .success
    }

    private static func complete(_ arguments: ParsedArguments) -> ExitCode {
        let isQuoted = arguments[quoted]
        let words = arguments.positional.map { isQuoted ? BashWord.unquoted($0) : $0 }
        let answer = CompletionAnswer(to: words, for: Program.root)
        Console.output(answer.text(beginningWith: isQuoted ? words.last ?? "" : ""))
        return .success
    }
}
