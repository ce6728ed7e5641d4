import Files

extension CommandDefinition {
    /// The request of a command line.
    package enum Request {
        /// - isWhole: with everything that the manual page says.
        case help(CommandDefinition, path: String, isWhole: Bool)
        case topic(HelpTopic)
        case run(CommandDefinition, ParsedArguments)
    }

    /// Parses the words after the command's name.
    /// - Parameter path: the command with its parents, for messages; nil for the program itself.
    package func parse(
        _ arguments: some Collection<some FilePathConvertible>, path: String? = nil
    ) throws(UsageError) -> Request {
        let path = path ?? name
        let rest = arguments.map(\.filePath)[...]
        if let first = rest.first?.decoded, !subcommands.isEmpty {
            if first == "help" { return try helpRequest(for: rest.dropFirst(), path: path) }
            if let subcommand = subcommands.first(where: { $0.name == first }) {
                return try subcommand.parse(rest.dropFirst(), path: "\(path) \(first)")
            }
            if !first.hasPrefix("-") { throw unknownCommand(first, path: path) }
        }
        var parser = ArgumentParser(self, path: path, words: rest)
        guard try parser.parse() else { return .help(self, path: path, isWhole: false) }
        try checkCount(of: parser.parsed.positional, path: path)
        try checkText(parser.parsed.paths, path: path)
        return run == nil ? .help(self, path: path, isWhole: false) : .run(self, parser.parsed)
    }

    /// Runs the command.
    package func perform(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let run else { return .success }
        guard showsElapsedTime else { return try run(arguments) }
        return try ElapsedTime.show(name: arguments.commandPath) { try run(arguments) }
    }

    private func helpRequest(for names: ArraySlice<FilePath>, path: String) throws(UsageError) -> Request {
        var command = self
        var path = path
        if names.count == 1, let topic = topics.first(where: { $0.name == names.first?.decoded }) {
            return .topic(topic)
        }
        for name in names.map(\.decoded) {
            guard let next = command.subcommands.first(where: { $0.name == name }) else {
                throw command.unknownCommand(name, path: path)
            }
            command = next
            path += " \(name)"
        }
        return .help(command, path: path, isWhole: command.run != nil)
    }

    private func unknownCommand(_ word: String, path: String) -> UsageError {
        UsageError(
            "Unknown command '\(word)'.\(Suggestion.text(for: word, among: listedSubcommands.map(\.name) + topics.map(\.name)))",
            path)
    }

    private func checkText(_ words: [FilePath], path: String) throws(UsageError) {
        for (index, word) in words.enumerated() where word.string == nil {
            guard run == nil || arguments[min(index, arguments.count - 1)].takesPaths else {
                throw UsageError("The argument '\(word)' is not UTF-8, which is required here.", path)
            }
        }
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
