import LiveControl
import Testing

@Suite struct ControlCommandTests {
    @Test func linesAreRead() throws {
        let cases: [(String, ControlCommand)] = [
            ("mask skull", .wear("skull")), ("  mask   Tiger face paint \r", .wear("Tiger face paint")),
            ("mask é ü", .wear("é ü")), ("mask \u{301}x", .wear("\u{301}x")), ("mask off", .mask(.off)),
            ("mask on", .mask(.on)), ("mask toggle", .mask(.toggle)), ("next", .next), ("previous", .previous),
            ("snapshot", .snapshot), ("record on", .record(.on)), ("record off", .record(.off)),
            ("cover toggle", .cover(.toggle)), ("masks", .masks), ("status", .status), ("quit", .quit),
        ]
        for (line, command) in cases {
            #expect(try ControlCommand(line: line.utf8) == command, "\(line)")
            #expect(try ControlCommand(line: command.line.utf8) == command, "\(line)")
        }
    }

    @Test(arguments: [
        ("", "empty"), ("   ", "empty"), ("mask", "needs a name"), ("record", "needs on"), ("cover maybe", "needs on"),
        ("quit now", "no argument"), ("explode", "there is no command 'explode'; use mask NAME"),
        ("mask a\tb", "control character"), ("mask a\0b", "control character"),
    ])
    func otherLinesAreExplained(_ line: String, _ words: String) {
        let error = #expect(throws: ControlCommand.Invalid.self) { try ControlCommand(line: line.utf8) }
        #expect(error?.description.contains(words) == true, "\(line): \(error?.description ?? "")")
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: ControlCommand.Invalid.self) { try ControlCommand(line: Array("mask ".utf8) + [0xFF]) }
    }

    @Test func repliesAreOneLine() {
        #expect(ControlReply.done().line == "ok\n")
        #expect(ControlReply.refused("two\nlines\r\nand three").line == "error two lines and three\n")
        for reply in [ControlReply.done(), .done("a b"), .refused("c d")] {
            #expect(ControlReply(line: reply.line.dropLast().utf8) == reply)
        }
        #expect(ControlReply(line: "nonsense".utf8) == nil)
    }

    @Test func linesComeInPieces() throws {
        var lines = ControlLines()
        #expect(try lines.next() == nil)
        for byte in Array("a\n\nbc\nrest".utf8) { lines.append([byte]) }
        #expect(try lines.next() == Array("a".utf8))
        #expect(try lines.next() == [])
        #expect(try lines.next() == Array("bc".utf8))
        #expect(try lines.next() == nil)
        lines.end()
        #expect(try lines.next() == Array("rest".utf8))
        #expect(lines.isEmpty)
        lines.append([UInt8](repeating: 65, count: ControlLines.longest))
        #expect(try lines.next() == nil)
        lines.append([65])
        #expect(throws: ControlLines.TooLong.self) { try lines.next() }
    }
}
