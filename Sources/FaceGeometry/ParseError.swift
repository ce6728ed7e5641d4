/// What is wrong in a text, and in which line of it. The caller adds the file's name.
package struct ParseError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1; nil when the fault is in no particular line.
    package let line: Int?
    package let reason: String

    package init(_ reason: String, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
