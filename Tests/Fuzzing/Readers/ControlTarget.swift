import LiveControl

/// What other programs send to the control socket.
enum ControlTarget: FuzzTarget {
    static let name = "control"
    static let longest = 2048

    static func seeds() -> [[UInt8]] {
        [
            "mask Tiger face paint\r\nmask off\nnext\nrecord toggle\n", "cover on\nstatus\n\nsnapshot\nquit",
            "  mask   \u{301}é \r\nmasks\nprevious\ncover maybe\n",
        ].map { Array($0.utf8) }
    }

    /// Comes in pieces, as through a socket. A command that has been read is the same after it has been written.
    static func read(_ bytes: [UInt8]) {
        var lines = ControlLines()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + Int(rest[rest.startIndex]))
            rest = rest.dropFirst(piece.count)
            lines.append(piece)
            if rest.isEmpty { lines.end() }
            do {
                while let line = try lines.next() { check(line) }
            } catch {
                return
            }
        }
        guard lines.isEmpty else { fatalError("something is left after the end") }
    }

    private static func check(_ line: [UInt8]) {
        guard line.count <= ControlLines.longest, !line.contains(10) else { fatalError("\(line) is no line") }
        _ = ControlReply(line: line)
        guard let command = try? ControlCommand(line: line) else { return }
        guard (try? ControlCommand(line: command.line.utf8)) == command else { fatalError("\(command) is lost") }
    }
}
