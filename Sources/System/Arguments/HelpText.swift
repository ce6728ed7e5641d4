/// The help of a command: what it does, how it is called, examples, and a line or two for each option. `bauta help COMMAND`
/// and the manual page say more.
package enum HelpText {
    /// - Parameter isWhole: whether all options are described, with all that is known of them.
    package static func text(
        for command: CommandDefinition, path: String, columns: Int, isWhole: Bool = false
    ) -> String {
        var sections = [
            wrapped(command.overview, columns: columns, indent: 0), "USAGE: " + usage(of: command, path: path),
        ]
        if isWhole, !command.discussion.isEmpty {
            sections.append(wrapped(command.discussion, columns: columns, indent: 0))
        }
        if !command.examples.isEmpty {
            sections.append("EXAMPLES:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        if !command.listedSubcommands.isEmpty {
            let rows = command.listedSubcommands.map { ($0.name, $0.overview) }
            sections.append("COMMANDS:\n" + table(rows, columns: columns))
        }
        if !command.topics.isEmpty {
            sections.append("TOPICS:\n" + table(command.topics.map { ($0.name, $0.overview) }, columns: columns))
        }
        if !command.arguments.isEmpty {
            let rows = command.arguments.map { ("<\($0.name)>", $0.help) }
            sections.append("ARGUMENTS:\n" + table(rows, columns: columns))
        }
        sections += options(of: command, path: path, columns: columns, isWhole: isWhole)
        return sections.joined(separator: "\n\n") + "\n"
    }

    package static func text(for topic: HelpTopic, columns: Int) -> String {
        let rows = topic.options.map(\.definition).map { ($0.label, ($0.details ?? $0.help) + $0.limitsText) }
        return [
            wrapped(topic.overview, columns: columns, indent: 0),
            wrapped(topic.discussion, columns: columns, indent: 0),
            "OPTIONS:\n" + table(rows, columns: columns),
        ].joined(separator: "\n\n") + "\n"
    }

    private static func options(
        of command: CommandDefinition, path: String, columns: Int, isWhole: Bool
    ) -> [String] {
        let groups = command.groups.filter { $0.place == nil || isWhole }
        var described = groups.map { ($0.title, $0.shownOptions) }
        if described.isEmpty { described.append(("Options", [])) }
        described[described.count - 1].1.append(.help)
        let sections = described.map { title, options in
            "\(title.uppercased()):\n"
                + table(
                    options.map { ($0.label, (isWhole ? $0.details ?? $0.help : $0.help) + $0.limitsText) },
                    columns: columns)
        }
        if isWhole { return sections }
        let named = command.groups.compactMap { group in
            group.place.map { place in
                let names = group.shownOptions.map { "--\($0.name)" }.joined(separator: ", ")
                return wrapped("\(group.title): \(names): see \(place)", columns: columns, indent: 2)
            }
        }
        let isSaid = command.groups.contains { $0.place == wholeHelp(path) }
        let end = named + [hint(command, path, isSaid: isSaid)].compactMap(\.self)
        return end.isEmpty ? sections : sections + [end.joined(separator: "\n")]
    }

    /// Where more is said; nil: nowhere.
    /// - Parameter isSaid: whether the whole help has been named.
    private static func hint(_ command: CommandDefinition, _ path: String, isSaid: Bool) -> String? {
        let words = path.split(separator: " ")
        if !command.subcommands.isEmpty {
            return
                "'\(([words.first ?? "", "help"] + words.dropFirst()).joined(separator: " ")) <command>' explains a command."
        }
        return command.discussion.isEmpty || isSaid ? nil : "Details: \(wholeHelp(path))"
    }

    /// How the whole help of a command is called.
    private static func wholeHelp(_ path: String) -> String {
        let words = path.split(separator: " ")
        return "'\(([words.first ?? "", "help"] + words.dropFirst()).joined(separator: " "))'"
    }

    package static func usage(of command: CommandDefinition, path: String) -> String {
        if command.run == nil { return "\(path) <command>" }
        let arguments = command.arguments.map { argument in
            let name = argument.repeats ? "<\(argument.name)> ..." : "<\(argument.name)>"
            return argument.isOptional ? "[\(name)]" : name
        }
        return ([path] + (command.options.isEmpty ? [] : ["[<options>]"]) + arguments).joined(separator: " ")
    }

    /// Two columns. A label that is too long for its column gets a line of its own.
    private static func table(_ rows: [(String, String)], columns: Int) -> String {
        let labelWidth = 26
        return rows.map { label, help in
            let indent = labelWidth
            let text = wrapped(help, columns: columns, indent: indent)
            let start = "  " + label
            if start.count < indent {
                return start + String(repeating: " ", count: indent - start.count) + text
            }
            return start + "\n" + String(repeating: " ", count: indent) + text
        }.joined(separator: "\n")
    }

    /// Breaks lines between words, at 30 to 120 columns; lines after the first are indented.
    package static func wrapped(_ text: String, columns: Int, indent: Int) -> String {
        let width = max(30, min(columns, 120) - indent)
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty && line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension OptionDefinition {
    /// `-m, --mask <name>`.
    fileprivate var label: String {
        (letter.map { "-\($0), " } ?? "") + "--\(name)" + (value.map { " <\($0)>" } ?? "")
    }
}
