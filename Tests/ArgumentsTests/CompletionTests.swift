import Arguments
import Testing

/// What may stand in the place of the last word; how the shells show it is tested in ProgramTests.
@Suite struct CompletionTests {
    private enum Colour: String, CaseIterable, Sendable { case red, green, blue }

    private static let names = ValueKind(paths: .folders) { before in
        [Completion("Day of the Dead", "A name with spaces."), Completion("wolf")]
            + before.map { Completion("no \($0)") }
    }
    private static let mask = Option("mask", letter: "m", value: "name", default: "bauta", help: "The mask. A name.")
        .takes(names)
    private static let recursive = Flag("recursive", letter: "r", deprecatedNames: ["deep"], help: "Search folders.")
    private static let colour = Option("colour", default: Colour.green, help: "A colour.")
    private static let palette = Option("palette", listOf: Colour.self, help: "Colours.")
    private static let count = Option("count", value: "number", in: 1...9, default: 5, help: "Repetitions.")

    private static let root = CommandDefinition(
        name: "tool", overview: "A tool.", options: [Flag("version", help: "Show the version.")],
        subcommands: [
            CommandDefinition(
                name: "paint", overview: "Paint. With colours.",
                arguments: [
                    ArgumentDefinition(name: "mask", help: "A mask.", kind: names),
                    ArgumentDefinition(name: "input", help: "Inputs.", repeats: true, kind: .file(["png", "jpg"])),
                ],
                options: [mask, recursive, colour, palette, count], run: { _ in .success }),
            CommandDefinition(
                name: "group", overview: "A group.",
                subcommands: [CommandDefinition(name: "list", overview: "List.", run: { _ in .success })]),
            CommandDefinition(name: "secret", overview: "For programs.", visibility: .hidden, run: { _ in .success }),
        ])

    private func words(_ line: String...) -> [String] { CompletionAnswer(to: line, for: Self.root).words.map(\.word) }

    @Test func commandsAreOfferedUntilThereIsOne() {
        #expect(words("") == ["paint", "group", "help"])
        #expect(CompletionAnswer(to: [""], for: Self.root).words[0].description == "Paint")
        #expect(words("group", "") == ["list", "help"])
        #expect(words("help", "") == ["paint", "group"])
        #expect(words("help", "group", "") == ["list"])
        #expect(words("unknown", "") == [])
        #expect(words("group", "list", "") == [])
        #expect(words("secret", "-") == ["--help", "-h"])
    }

    @Test func optionsAreOfferedOnce() {
        #expect(words("-") == ["--version", "--help", "-h"])
        #expect(words("paint", "--") == ["--mask", "--recursive", "--colour", "--palette", "--count", "--help"])
        #expect(words("paint", "-rm", "x", "--colour=red", "--") == ["--palette", "--count", "--help"])
        #expect(words("paint", "--deep", "--re") == ["--mask", "--colour", "--palette", "--count", "--help"])
        // After -- they are arguments.
        #expect(words("paint", "--", "-").first == "Day of the Dead")
    }

    @Test func valuesOfOptionsAreOffered() {
        #expect(words("paint", "--colour", "") == ["red", "green", "blue"])
        #expect(words("paint", "--colour=r") == ["--colour=red", "--colour=green", "--colour=blue"])
        #expect(words("paint", "-m", "") == ["Day of the Dead", "wolf"])
        #expect(words("paint", "-mDay") == ["-mDay of the Dead", "-mwolf"])
        #expect(words("paint", "-rm", "D") == ["Day of the Dead", "wolf"])
        #expect(words("paint", "--palette", "green,") == ["green,red", "green,blue"])
        #expect(words("paint", "--palette=green,b") == ["--palette=green,red", "--palette=green,blue"])
        #expect(words("paint", "--count", "") == [])
        // A value may look like an option.
        #expect(words("paint", "--colour", "-") == ["red", "green", "blue"])
    }

    @Test func argumentsAreOfferedByTheirPlace() {
        let first = CompletionAnswer(to: ["paint", "-r", "x/wo"], for: Self.root)
        #expect(first.words.map(\.word) == ["Day of the Dead", "wolf"])
        #expect(first.paths == .folders && first.prefix == "" && first.path == "x/wo")
        let later = CompletionAnswer(to: ["paint", "wolf", "a.png", "--colour", "red", "b"], for: Self.root)
        #expect(later.words.isEmpty && later.paths == .files(endings: ["png", "jpg"]) && later.path == "b")
        let attached = CompletionAnswer(to: ["paint", "--mask=x/wo"], for: Self.root)
        #expect(attached.paths == .folders && attached.prefix == "--mask=" && attached.path == "x/wo")
    }

    @Test func theTextIsForShells() {
        let answer = CompletionAnswer(to: ["paint", "--mask=wo"], for: Self.root)
        #expect(
            answer.text() == "w--mask=Day of the Dead\tA name with spaces.\nw--mask=wolf\t\nd\t--mask=\two\n")
        #expect(answer.text(beginningWith: "--mask=wo") == "w--mask=wolf\t\nd\t--mask=\two\n")
        // What a terminal would obey is no name to offer.
        let hostile = CompletionAnswer(to: ["paint", "a\u{1B}[2J", "b\nw"], for: Self.root)
        #expect(hostile.text() == "fpng jpg\t\tb\nw\n")
    }

    @Test(arguments: [
        ("plain", "plain"), (#"Day\ of"#, "Day of"), (#""Day o"#, "Day o"), ("'a\\b'c", "a\\bc"),
        (#""a\"\$\x""#, #"a"$\x"#),
        (#"--mask="Day"#, "--mask=Day"), ("a\\", "a"), ("", ""),
    ])
    func bashWordsLoseTheirQuotes(_ typed: String, _ plain: String) {
        #expect(BashWord.unquoted(typed) == plain)
    }
}
