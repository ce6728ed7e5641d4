import Arguments
import Testing

/// The parser by itself; what the program's commands make of arguments is tested in ProgramTests.
@Suite struct ArgumentParserTests {
    private enum Colour: String, CaseIterable, Sendable { case red, green, blue }

    private static let force = Flag("force", letter: "f", help: "Replace files.")
    private static let recursive = Flag("recursive", letter: "r", help: "Search folders.")
    private static let rotated = Flag("rotated", deprecatedNames: ["turned"], help: "Search rotated pictures.")
    private static let mask = Option("mask", letter: "m", value: "name", default: "bauta", help: "The mask.")
    private static let model = Option<String?>("model", value: "file", defaultText: "Debian's", help: "A model.")
    private static let source = Option<String?>("source", letter: "s", value: "name", help: "A source.")
        .implying("auto")
    private static let count = Option(
        "count", letter: "n", value: "number", in: 1...9, default: 5, help: "Repetitions.")
    private static let limit = Option<Int?>("limit", value: "frames", in: 1...100_000_000, help: "Stop after N frames.")
    private static let colour = Option("colour", default: Colour.green, help: "A colour.")
    private static let tint = Option("tint", words: Colour.self, help: "A second colour.")
    private static let palette = Option("palette", listOf: Colour.self, help: "Colours.")

    private static let command = CommandDefinition(
        name: "tool", overview: "A tool.",
        arguments: [ArgumentDefinition(name: "input", help: "Inputs.", repeats: true)],
        options: [force, recursive, rotated, mask, model, source, count, limit, colour, tint, palette],
        run: { _ in .success })

    private func parsed(_ words: String...) throws -> ParsedArguments {
        guard case .run(_, let arguments) = try Self.command.parse(words) else {
            throw UsageError("help is asked for", "")
        }
        return arguments
    }

    private func mistake(_ words: String...) -> String {
        do {
            _ = try Self.command.parse(words)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test func absentOptionsHaveTheirDefaults() throws {
        let arguments = try parsed("a")
        #expect(arguments[Self.mask] == "bauta" && arguments[Self.count] == 5 && arguments[Self.colour] == .green)
        #expect(arguments[Self.model] == nil && arguments[Self.limit] == nil && arguments[Self.tint] == nil)
        #expect(arguments[Self.palette] == [] && !arguments[Self.force] && !arguments.has(Self.mask))
    }

    @Test func valuesAreTyped() throws {
        let arguments = try parsed(
            "--mask", "skull", "--count=7", "--limit", "300", "a", "--colour", "blue", "--tint=red", "--palette",
            "red,blue", "--model=", "b")
        #expect(arguments[Self.mask] == "skull" && arguments[Self.count] == 7 && arguments[Self.limit] == 300)
        #expect(arguments[Self.colour] == .blue && arguments[Self.tint] == .red)
        #expect(arguments[Self.palette] == [.red, .blue])
        #expect(arguments[Self.model]?.isEmpty == true && arguments.has(Self.mask))
        #expect(arguments.positional == ["a", "b"] && arguments.commandPath == "tool")
    }

    @Test func aValueMayBeImpliedAtTheEndAndBeforeAnOption() throws {
        #expect(try parsed("a")[Self.source] == nil)
        for words in [["a", "--source"], ["--source", "--force", "a"], ["-s", "-f", "a"], ["--source", "--", "a"]] {
            guard case .run(_, let arguments) = try Self.command.parse(words) else { continue }
            #expect(arguments[Self.source] == "auto" && arguments.positional == ["a"], "\(words)")
        }
        #expect(try parsed("--source", "b", "a")[Self.source] == "b")
        #expect(try parsed("--source", "-", "a")[Self.source] == "-")
        #expect(try parsed("--source=-y", "a")[Self.source] == "-y")
        #expect(try parsed("--source=", "a")[Self.source]?.isEmpty == true)
    }

    @Test func lettersAreCombined() throws {
        let both = try parsed("-rf", "a")
        #expect(both[Self.force] && both[Self.recursive])
        #expect(try parsed("-rm", "skull", "a")[Self.mask] == "skull")
        #expect(try parsed("-rmskull", "a")[Self.mask] == "skull")
        #expect(try parsed("-n=3", "a")[Self.count] == 3)
        #expect(try parsed("-n3", "a")[Self.count] == 3)
        #expect(mistake("-rx", "a") == "Unknown option '-x' in '-rx'.")
        #expect(mistake("-f=1", "a") == "The option '--force' does not take a value.")
        #expect(mistake("-rm") == "Missing value for '--mask <name>'.")
    }

    @Test func dashesEndTheOptionsAndAreAnArgument() throws {
        #expect(try parsed("-f", "--", "-r", "--mask").positional == ["-r", "--mask"])
        #expect(try parsed("-", "a").positional == ["-", "a"])
        #expect(try parsed("a", "--mask", "--", "--", "b")[Self.mask] == "--")
    }

    @Test func theLastValueHolds() throws {
        #expect(try parsed("a", "-n", "2", "--count", "4")[Self.count] == 4)
    }

    @Test func valuesOutOfRangeAreRefused() {
        #expect(
            mistake("a", "--count", "10")
                == "The value '10' is invalid for '--count': it must be a whole number from 1 to 9.")
        #expect(mistake("a", "-n", "many").contains("must be a whole number"))
        #expect(mistake("a", "--colour", "pink").contains("must be one of red, green, blue"))
        #expect(mistake("a", "--palette", "red,pink").contains("must list some of red, green, blue"))
    }

    @Test func formerNamesAreUnderstoodWithOneWarning() throws {
        let arguments = try parsed("--turned", "a", "--turned")
        #expect(arguments[Self.rotated])
        #expect(arguments.warnings == ["--turned is now called --rotated"])
        #expect(try parsed("--rotated", "a").warnings.isEmpty)
        #expect(!HelpText.text(for: Self.command, path: "tool", columns: 80).contains("turned"))
    }

    @Test func unknownOptionsComeWithASuggestion() {
        #expect(mistake("--forse", "a") == "Unknown option '--forse'. Did you mean '--force'?")
        #expect(mistake("--zzz", "a") == "Unknown option '--zzz'.")
        #expect(mistake("-z", "a") == "Unknown option '-z'.")
        #expect(mistake("--force=yes", "a") == "The option '--force' does not take a value.")
        #expect(mistake() == "Missing expected argument '<input>'.")
    }

    @Test func theHelpShowsRangesAndDefaults() {
        let help = HelpText.text(for: Self.command, path: "tool", columns: 120)
        for line in [
            "-m, --mask <name>       The mask. (default: bauta)", "Repetitions. (1 to 9; default: 5)",
            "Stop after N frames. (1 or more)", "--colour <red|green|blue>", "A colour. (default: green)",
            "A model. (default: Debian's)", "USAGE: tool [<options>] <input> ...",
        ] { #expect(help.contains(line), "\(line) in \(help)") }
        guard case .help? = try? Self.command.parse(["a", "-rh"]) else {
            Issue.record("-h among other letters asks for help")
            return
        }
    }
}
