import Display
import JSON
import LiveControl
import LiveWindow
import Testing

/// Keys of the window that the user has given commands to.
@Suite struct KeyBindingTests {
    private func read(_ text: String) throws -> (KeyBindings, warnings: [String]) {
        var warnings: [String] = []
        let keys = KeyBindings(try JSONValue(parsing: text)) { warnings.append($0) }
        return (keys, warnings)
    }

    @Test(arguments: [
        ("b", WindowEvent.Key.letter("b")), ("B", .letter("b")), ("0", .digit(0)), ("f1", .function(1)),
        ("F12", .function(12)), ("ctrl+q", .control("q", shift: false)), ("Ctrl+Shift+Q", .control("q", shift: true)),
    ])
    func namesOfKeys(_ name: String, _ key: WindowEvent.Key) throws {
        #expect(WindowEvent.Key(name: name) == key)
        #expect(try WindowEvent.Key(name: #require(key.name)) == key)
    }

    @Test(arguments: [
        "", "+", "ctrl", "ctrl+", "Ctrl+1", "shift+a", "shift+ctrl+a", "f0", "f13", "f01", "f+1", "F", "ab", "é",
        "b\u{301}",
        "١", "left", "ctrl++a",
    ])
    func invalidKeys(_ name: String) {
        let isF = name == "F"
        #expect((WindowEvent.Key(name: name) == nil) != isF)
    }

    @Test func invalidEntriesAreReportedAndOthersCount() throws {
        let (keys, warnings) = try read(
            """
            {"F5": "mask skull", "space": "next", "b": "dance", "c": 1, "F12": "quit", "x": "status", "n": "next", "N": "previous"}
            """)
        #expect(keys[.function(5)] == .wear("skull") && keys[.letter("n")] == .previous)
        #expect(keys.all.count == 2)
        #expect(warnings.count == 5)
        for (warning, words) in zip(
            warnings, ["'space'", "no command 'dance'", "in quotes", "F12 always covers", "prints an answer"])
        {
            #expect(warning.contains(words), "\(warning)")
        }
        #expect(try read("[]").warnings == ["'keys' must be an object"])
    }

    /// Fields keep what writes and edits: everything else does what it does elsewhere, such as saving.
    @Test(arguments: [
        (WindowEvent.Key.control("s", shift: false), true), (.control("s", shift: true), true),
        (.control("e", shift: false), true), (.control("q", shift: false), true), (.function(12), true), (.enter, true),
        (.control("a", shift: false), false), (.control("c", shift: false), false),
        (.control("v", shift: false), false), (.control("x", shift: false), false),
        (.control("z", shift: true), false), (.control("y", shift: false), false), (.letter("s"), false),
        (.left, false), (.delete, false), (.digit(1), false), (.space, false), (.escape, false),
    ])
    func fieldsLeaveCommands(_ key: WindowEvent.Key, _ isLeft: Bool) { #expect(key.passesFields == isLeft) }

    private static let bindable: [WindowEvent.Key] =
        (0...9).map { .digit($0) } + (1...12).map { .function($0) }
        + "abcdefghijklmnopqrstuvwxyz".flatMap { letter in
            [.letter(letter), .control(letter, shift: false), .control(letter, shift: true)]
        }

    /// No mask takes a key from what it does by itself.
    @Test(arguments: bindable) func meaningsOfKeysAreKnown(_ key: WindowEvent.Key) {
        var keys = KeyInput()
        #expect((keys.command(for: key, KeyBindings()) == nil) == (KeyMeaning.effect(of: key) == nil))
    }

    @Test func theHelpListsNoKeyTwice() {
        var keys = KeyBindings()
        #expect(KeyMeaning.help(keys).contains("C, F12\tCover everything"))
        keys.set(.letter("c"), .wear("fox"))
        keys.set(.digit(5), .wear("owl"))
        keys.set(.letter("m"), .next)
        let lines = KeyMeaning.help(keys).split(separator: "\n")
        #expect(lines.contains("F12\tCover everything") && lines.contains("C\tmask fox"))
        #expect(lines.contains("Left, Right, 1, 2, 3, 4, 6, 7, 8, 9\tAnother mask"))
        #expect(lines.contains("L\tMesh and landmarks") && lines.contains("M\tnext"))
    }

    /// Members that cannot be read, and those of another spelling, stay.
    @Test func onlyChangesAreWritten() throws {
        var json = try JSONValue(parsing: "{\"keys\": {\"space\": 1, \"n\": \"next\", \"f5\": \"quit\"}}")
        let old = KeyBindings(try #require(json["keys"])) { _ in }
        var new = old
        new.set(.letter("n"), nil)
        new.set(.function(5), .snapshot)
        new.set(.letter("z"), .wear("Łódź é"))
        new.write(changesSince: old, into: &json)
        #expect(json.text() == "{\"keys\":{\"space\":1,\"f5\":\"snapshot\",\"Z\":\"mask Łódź é\"}}")
        #expect(KeyBindings(try #require(json["keys"])) { _ in } == new)
    }
}
