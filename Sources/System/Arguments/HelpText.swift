/// The help of a command, in the layout of swift-argument-parser.
package enum HelpText {
    package static func text(for command: CommandDefinition, path: String, columns: Int) -> String {
        var sections = [wrapped("OVERVIEW: " + command.overview, columns: columns, indent: 0)]
        if !command.discussion.isEmpty { sections.append(wrapped(command.discussion, columns: columns, indent: 0)) }
        sections.append("USAGE: " + usage(of: command, path: path))
        if !command.arguments.isEmpty {
            let rows = command.arguments.map { ("<\($0.name)>", $0.help) }
            sections.append("ARGUMENTS:\n" + table(rows, columns: columns))
        }
        let rows = command.allOptions.map { option in
            let letter = option.letter.map { "-\($0), " } ?? ""
            let help = option.help + (option.limits.map { " (\($0))" } ?? "")
            return (letter + "--\(option.name)" + (option.value.map { " <\($0)>" } ?? ""), help)
        }
        sections.append("OPTIONS:\n" + table(rows, columns: columns))
        if !command.subcommands.isEmpty {
            let rows = command.visibleSubcommands.map { ($0.name, $0.overview) }
            sections.append("SUBCOMMANDS:\n" + table(rows, columns: columns))
            sections.append("See '\(path.split(separator: " ").first ?? "") help <command>' for detailed help.")
        }
        if !command.examples.isEmpty {
            sections.append("EXAMPLES:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    package static func usage(of command: CommandDefinition, path: String) -> String {
        if command.run == nil { return "\(path) <subcommand>" }
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
