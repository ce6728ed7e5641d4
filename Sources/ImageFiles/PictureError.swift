import Pixels

/// Why a picture file cannot be read or written. The description is a sentence for the person at the keyboard and names
/// the file.
package struct PictureError: Error, Equatable, CustomStringConvertible {
    /// What kind of thing went wrong, for programs.
    package enum Kind: String, Sendable {
        case unreadable
        case notAPicture
        case unsupported
        case damaged
        case tooLarge
        case outOfMemory
        case wouldOverwrite
        case unwritable
    }

    package let kind: Kind
    package let path: String
    package let reason: String

    package init(_ kind: Kind, path: String, _ reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
