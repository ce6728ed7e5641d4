import Files

/// A problem of a mask: its code, where it is, and the reason. Thrown when the mask cannot be used.
package struct MaskProblem: Error, Equatable, CustomStringConvertible {
    package enum Severity: String, CaseIterable, Sendable {
        /// The mask cannot be used.
        case error
        /// The mask can be used, but will probably look wrong, or not everybody may use it.
        case warning
    }

    /// A place in a file.
    package enum Place: Equatable, Sendable {
        /// A JSON pointer (RFC 6901).
        case pointer(String)
        /// In a text; both count from 1.
        case line(Int, column: Int? = nil)
        /// In a picture; both count from 0 at the top left corner.
        case pixel(x: Int, y: Int)
    }

    package let code: Code
    /// The file with the problem.
    package let path: String
    /// Nil when the problem concerns the whole file.
    package let place: Place?
    package let reason: String

    package init(_ code: Code, path: some FilePathConvertible, at place: Place? = nil, _ reason: String) {
        self.code = code
        self.path = path.filePath.description
        self.place = place
        self.reason = reason
    }

    package var pointer: String? { if case .pointer(let pointer)? = place { pointer } else { nil } }

    /// The same problem, of a file that the user knows by another path.
    package func withPath(_ path: some FilePathConvertible) -> MaskProblem {
        MaskProblem(code, path: path, at: place, reason)
    }

    /// The problem on one line: what it quotes may be any text.
    package var description: String {
        let reason = reason.printable
        return switch place {
        case nil: "\(path): \(reason)"
        case .pointer(""): "\(path): the whole document: \(reason)"
        case .pointer(let pointer): "\(path): \(pointer.printable): \(reason)"
        case .line(let line, nil): "\(path): line \(line): \(reason)"
        case .line(let line, let column?): "\(path): line \(line), column \(column): \(reason)"
        case .pixel(let x, let y): "\(path): pixel (\(x), \(y)): \(reason)"
        }
    }
}
