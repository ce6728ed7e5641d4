import Arguments
import Testing

@Suite struct ManualPageTests {
    private static let root = CommandDefinition(
        name: "tool", overview: "A tool.", options: [Flag("version", help: "Show the version.")],
        subcommands: [
            CommandDefinition(
                name: "paint-all", overview: "Paint, à la carte.",
                discussion: ".dots and 'quotes' at the start, a back\\slash, and ~/.config/tool.json.",
                arguments: [ArgumentDefinition(name: "input", help: "Inputs.", repeats: true, isOptional: true)],
                options: [Option("mask", letter: "m", value: "name", default: "bauta", help: "The mask.")],
                examples: ["tool paint-all --mask='x y'"], run: { _ in .success }),
            CommandDefinition(name: "secret", overview: "For programs.", visibility: .hidden, run: { _ in .success }),
        ])

    private static let pages = ManualPage.pages(
        for: root,
        of: .init(date: "2026-01-31", version: "1.2", sections: [.init("EXIT STATUS", [("0", "Done.")])]))

    @Test func everyVisibleCommandHasAPage() {
        #expect(Self.pages.map(\.name) == ["tool", "tool-paint-all"])
    }

    @Test func aPageSaysWhatTheHelpSays() {
        let page = Self.pages[1].text
        for part in [
            ".TH TOOL\\-PAINT\\-ALL 1 2026-01-31 \"tool 1.2\" \"User Commands\"",
            ".SH NAME\ntool\\-paint\\-all \\- paint, \\[u00E0] la carte\n",
            ".SH SYNOPSIS\n\\fBtool paint\\-all\\fP [\\fIoptions\\fP] [\\fIinput\\fP ...]\n",
            "\n\\&.dots and \\(aqquotes\\(aq at the start, a back\\eslash, and \\(ti/.config/tool.json.\n",
            ".SH ARGUMENTS\n.TP\n\\fIinput\\fP\nInputs.\n",
            ".TP\n\\fB\\-m\\fP, \\fB\\-\\-mask\\fP \\fIname\\fP\nThe mask. (default: bauta)\n",
            "\ntool paint\\-all \\-\\-mask=\\(aqx y\\(aq\n", ".SH SEE ALSO\n\\fBtool\\fP(1)\n",
        ] { #expect(page.contains(part), "\(part) in \(page)") }
        #expect(!page.contains("EXIT STATUS"))
        let root = Self.pages[0].text
        #expect(root.contains(".SH EXIT STATUS\n.TP\n\\fB0\\fP\nDone.\n"))
        #expect(root.contains(".SH COMMANDS\n.TP\n\\fBtool\\-paint\\-all\\fP(1)\nPaint,"))
    }
}
