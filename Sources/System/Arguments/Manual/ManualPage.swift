/// The manual page of a command, in section 1, written from its definition.
package struct ManualPage {
    /// The sections of all pages.
    package struct Publication: Sendable {
        /// Year, month and day: 2026-01-31.
        package let date: String
        package let version: String
        /// For the page of the program itself.
        package let sections: [Section]

        package init(date: String, version: String, sections: [Section]) {
            self.date = date
            self.version = version
            self.sections = sections
        }
    }

    /// A list of things with their meanings.
    package struct Section: Sendable {
        package let heading: String
        package let entries: [(term: String, text: String)]

        package init(_ heading: String, _ entries: [(term: String, text: String)]) {
            self.heading = heading
            self.entries = entries
        }
    }

    /// The name without the section: `bauta-mask-new`.
    package let name: String
    package let text: String

    /// The page of a command, and those of its subcommands.
    package static func pages(
        for command: CommandDefinition, of publication: Publication, under parents: [String] = []
    ) -> [ManualPage] {
        let path = parents + [command.name]
        return [ManualPage(command, path: path, publication)]
            + command.documentedSubcommands.flatMap { pages(for: $0, of: publication, under: path) }
    }

    private init(_ command: CommandDefinition, path: [String], _ publication: Publication) {
        name = path.joined(separator: "-")
        let isProgram = path.count == 1
        var parts = [
            ".\\\" Written by bauta manual.",
            ".TH \(Roff.literal(name.uppercased())) 1 \(publication.date) "
                + "\"\(Roff.literal("\(path[0]) \(publication.version)"))\" \"User Commands\"",
            ".SH NAME\n\(Roff.literal(name)) \\- " + Roff.text(Self.summary(command.overview)),
            ".SH SYNOPSIS\n" + Self.synopsis(command, path: path),
            ".SH DESCRIPTION\n" + Roff.text(command.overview)
                + (command.discussion.isEmpty ? "" : "\n.PP\n" + Roff.text(command.discussion)),
        ]
        parts += Self.lists(command, path: path)
        if isProgram { parts += publication.sections.map(Self.section) }
        if !command.examples.isEmpty {
            parts.append(".SH EXAMPLES\n.nf\n" + Roff.lines(command.examples) + "\n.fi")
        }
        parts.append(".SH SEE ALSO\n" + Self.references(command, path: path))
        text = parts.joined(separator: "\n") + "\n"
    }

    /// Without the full stop, as lists of pages show it.
    private static func summary(_ overview: String) -> String {
        let sentence = overview.hasSuffix(".") ? String(overview.dropLast()) : overview
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }

    private static func synopsis(_ command: CommandDefinition, path: [String]) -> String {
        var words = [Roff.bold(path.joined(separator: " "))]
        if command.run == nil {
            words += [Roff.italic("command"), "[\(Roff.italic("options"))]"]
        } else {
            if !command.options.isEmpty { words.append("[\(Roff.italic("options"))]") }
            words += command.arguments.map { argument in
                let word = Roff.italic(argument.name) + (argument.repeats ? " ..." : "")
                return argument.isOptional ? "[\(word)]" : word
            }
        }
        return words.joined(separator: " ")
    }

    private static func lists(_ command: CommandDefinition, path: [String]) -> [String] {
        var lists: [String] = []
        if !command.listedSubcommands.isEmpty {
            let entries = command.listedSubcommands.map { (reference(path + [$0.name]), $0.overview) }
            lists.append(list("COMMANDS", entries))
        }
        if !command.arguments.isEmpty {
            lists.append(list("ARGUMENTS", command.arguments.map { (Roff.italic($0.name), $0.help) }))
        }
        let heads = command.groups.count > 1
        let groups = command.groups.map { group in
            (heads ? ".SS \(group.title)\n" : "") + entries(group.options.map(\.definition))
        }
        return lists + [([".SH OPTIONS"] + groups + [entries([.help])]).joined(separator: "\n")]
    }

    private static func entries(_ options: [OptionDefinition]) -> String {
        entries(
            options.filter { !$0.isHidden }.map { option in
                let letter = option.letter.map { Roff.bold("-\($0)") + ", " } ?? ""
                let value = option.value.map { " " + Roff.italic($0) } ?? ""
                return (
                    letter + Roff.bold("--\(option.name)") + value,
                    (option.details ?? option.help) + option.limitsText
                )
            })
    }

    private static func section(_ section: Section) -> String {
        list(section.heading, section.entries.map { (Roff.bold($0.term), $0.text) })
    }

    /// - Parameter entries: terms in roff, and plain texts.
    private static func list(_ heading: String, _ entries: [(term: String, text: String)]) -> String {
        ".SH \(heading)\n" + Self.entries(entries)
    }

    private static func entries(_ entries: [(term: String, text: String)]) -> String {
        entries.map { ".TP\n\($0.term)\n\(Roff.text($0.text))" }.joined(separator: "\n")
    }

    /// The page above and those below.
    private static func references(_ command: CommandDefinition, path: [String]) -> String {
        let above = path.count > 1 ? [Array(path.dropLast())] : []
        let below = command.documentedSubcommands.map { path + [$0.name] }
        return (above + below).map(reference).joined(separator: ",\n")
    }

    private static func reference(_ path: [String]) -> String { Roff.bold(path.joined(separator: "-")) + "(1)" }
}
