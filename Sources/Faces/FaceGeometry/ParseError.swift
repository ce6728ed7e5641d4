/// A problem in a text, with its line. The caller adds the name of the file.
package struct ParseError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1; nil if the error is not in a particular line.
    package let line: Int?
    package let reason: String

    package init(_ reason: String, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
