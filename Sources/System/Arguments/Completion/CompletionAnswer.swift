import Files

/// The completions of the last word of an unfinished command line.
package struct CompletionAnswer: Equatable, Sendable {
    /// Whole words, with the part in front of the value in `--name=value`.
    package var words: [Completion] = []
    /// Files that are offered, too. The shell lists them, since it knows how paths are written in it.
    package var paths = ValueKind.Paths.none
    /// The part of the last word in front of the path: `--name=`.
    package var prefix = ""
    /// The rest of the last word: the beginning of the path.
    package var path = ""

    /// - Parameters:
    ///   - words: the words after the program's name. The last one is unfinished, and may be empty.
    package init(to words: [String], for root: CommandDefinition) {
        var state = CommandLineState(root)
        for word in words.dropLast() { state.read(word) }
        let last = words.last ?? ""
        if let option = state.awaiting {
            offer(option.kind, prefix: "", value: last, before: [])
        } else if !state.optionsAreOver, last.hasPrefix("-") {
            offerOptions(state, last)
        } else if state.namesCommand || state.takesSubcommand {
            offerCommands(state)
        } else if let argument = state.argument {
            offer(argument.kind, prefix: "", value: last, before: state.positional)
        }
    }

    private mutating func offerOptions(_ state: CommandLineState, _ word: String) {
        if word.hasPrefix("--"), let end = word.firstIndex(of: "=") {
            let name = word[..<end].dropFirst(2)
            guard let option = state.option(named: name) else { return }
            return offer(option.kind, prefix: String(word[...end]), value: String(word[end...].dropFirst()), before: [])
        }
        if let (option, prefix) = state.optionWithAttachedValue(in: word) {
            return offer(option.kind, prefix: prefix, value: String(word.dropFirst(prefix.count)), before: [])
        }
        for option in state.command.allOptions where !state.given.contains(option.name) && !option.isHidden {
            let help = Self.firstSentence(option.help)
            words.append(Completion("--\(option.name)", help))
            if word == "-", let letter = option.letter { words.append(Completion("-\(letter)", help)) }
        }
    }

    private mutating func offerCommands(_ state: CommandLineState) {
        words = state.command.listedSubcommands.map { Completion($0.name, Self.firstSentence($0.overview)) }
        if state.namesCommand {
            words += state.command.topics.map { Completion($0.name, Self.firstSentence($0.overview)) }
        } else {
            words.append(Completion("help", "Show the help of a command."))
        }
    }

    private mutating func offer(_ kind: ValueKind, prefix: String, value: String, before: [String]) {
        let chosen = kind.isList ? value.split(separator: ",", omittingEmptySubsequences: false).dropLast() : []
        let head = prefix + chosen.map { $0 + "," }.joined()
        words = kind.words(before).filter { !chosen.contains($0.word[...]) }.map {
            Completion(head + $0.word, $0.description)
        }
        paths = kind.paths
        (self.prefix, path) = (prefix, value)
    }

    private static func firstSentence(_ text: String) -> String {
        let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
        let sentence = text[..<end]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }

    /// A line for each word, with a tab before its description; then, if there are paths to offer, one with their
    /// endings, `prefix` and `path`. The first letter says which: w, f (files) or d (folders). Words that a terminal would
    /// obey are left out.
    /// - Parameter start: only words that begin with it are written.
    package func text(beginningWith start: String = "") -> String {
        var lines = words.filter { $0.word.hasPrefix(start) && $0.word.unicodeScalars.allSatisfy(\.isPrintable) }
            .map { "w\($0.word)\t\($0.description)\n" }
        switch paths {
        case .none: break
        case .folders: lines.append("d\t\(prefix)\t\(path)\n")
        case .files(let endings): lines.append("f\(endings.joined(separator: " "))\t\(prefix)\t\(path)\n")
        }
        return lines.joined()
    }
}
