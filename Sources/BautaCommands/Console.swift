import Files
import Glibc

/// The two streams of the terminal. Results go to standard output, everything said about the work to standard error.
enum Console {
    static func output(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func error(_ text: String) { write(text, to: STDERR_FILENO) }

    static var errorIsTerminal: Bool {
        let term = getenv("TERM").map { String(cString: $0) }
        return isatty(STDERR_FILENO) == 1 && term != "dumb"
    }

    /// Columns of the terminal that standard output or standard error is; 80 where neither is one.
    static var columns: Int {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return 80
    }

    /// A reader that has gone away (`bauta … | head`) is no error: SIGPIPE is ignored and the rest is dropped.
    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
