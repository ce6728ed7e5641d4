import Files
import Glibc
import JSON

/// Standard output, for results, and standard error, for progress, warnings and errors.
package enum Console {
    package static func output(_ text: String) {
        ElapsedTime.hide()
        write(text, to: STDOUT_FILENO)
    }

    package static func error(_ text: String) {
        ElapsedTime.hide()
        write(text)
    }

    /// Writes on standard error and leaves the line of the elapsed time where it is.
    static func write(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Indented, with a line break at the end.
    package static func output(_ value: JSONValue) { output(value.text(indented: true) + "\n") }

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

    /// If the reader has closed the pipe (`bauta … | head`), the rest is dropped without an error.
    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
