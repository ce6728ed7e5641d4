import Files
import Glibc
import JSON
import Synchronization

/// Standard output, for results, and standard error, for progress, warnings and errors.
///
/// All texts may quote strangers: what a terminal would obey is escaped (`String.printableLines`).
package enum Console {
    /// The error number of the first write to standard output that failed; 0: none.
    private static let outputFailure = Atomic<Int32>(0)

    /// - Parameter labels: beginnings of lines that terminals show in a colour.
    package static func output(_ text: String, labels: [String: TextColour] = [:]) {
        outputRaw(shown(text, labels, by: STDOUT_FILENO))
    }

    private static func shown(_ text: String, _ labels: [String: TextColour], by descriptor: Int32) -> String {
        let text = text.printableLines
        return labels.isEmpty || !TextColour.areShown(by: descriptor) ? text : TextColour.coloured(text, labels)
    }

    /// - Parameters:
    ///   - isReplacingLine: whether the text takes the place of a `StatusLine`, if there is a terminal.
    ///   - labels: beginnings of lines that terminals show in a colour.
    package static func error(_ text: String, isReplacingLine: Bool = false, labels: [String: TextColour] = [:]) {
        ElapsedTime.hide()
        let clearing = isReplacingLine && errorIsTerminal ? StatusLine.clear : ""
        write(clearing + shown(text, labels, by: STDERR_FILENO))
    }

    /// Writes on standard error as it is, and leaves the line of the elapsed time where it is.
    static func write(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// With a line break at the end.
    package static func output(_ value: JSONValue, indented: Bool = true) {
        outputRaw(printableText(of: value, indented: indented) + "\n")
    }

    /// The value in JSON, without characters that a terminal would obey.
    package static func printableText(of value: JSONValue, indented: Bool = false) -> String {
        let text = value.text(indented: indented)
        guard text.unicodeScalars.contains(where: { !$0.isPrintable && $0 != "\n" }) else { return text }
        // They stand within strings, where any character may be written as its number.
        return text.unicodeScalars.map { $0.isPrintable || $0 == "\n" ? String($0) : escaped($0) }.joined()
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
    }

    private static func outputRaw(_ text: String) {
        ElapsedTime.hide()
        // If the reader has closed the pipe (`bauta … | head`), the rest is dropped without an error.
        guard let code = write(text, to: STDOUT_FILENO), code != EPIPE else { return }
        _ = outputFailure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }

    /// Says what of standard output could not be written. To be called at the end of the program.
    /// - Parameter code: the exit status without that.
    /// - Returns: the exit status: `ioError` instead of `success` if something is missing.
    package static func finish(_ code: ExitCode) -> ExitCode {
        let failure = outputFailure.load(ordering: .relaxed)
        guard failure != 0 else { return code }
        Self.failure("standard output: cannot be written: \(systemErrorText(failure))")
        return code == .success ? .ioError : code
    }

    /// Opens the standard streams that the program was started without, so that no file that it opens later takes their
    /// numbers and gets its messages. Reading and writing them still fail.
    package static func openMissingStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether standard error can show a line that is redrawn.
    package static var errorIsTerminal: Bool {
        let term = getenv("TERM").map { String(cString: $0) }
        return isatty(STDERR_FILENO) == 1 && term != "dumb"
    }

    /// The width of the terminal; 80 if neither stream is a terminal.
    package static var columns: Int {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return 80
    }

    /// - Returns: nil, or the number of the error.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) ? nil : errno }
    }
}
