import Files

/// Why a picture file cannot be read or written. The description is a sentence for the user and names the file.
package struct PictureError: Error, Equatable, CustomStringConvertible {
    /// The kind of error, for programs.
    package enum Kind: String, Sendable {
        case unreadable
        case notAPicture
        case video
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

    /// The picture error for a file's error.
    package init(_ error: FileError) {
        switch error.kind {
        case .unreadable, .changed: self.init(.unreadable, path: error.path, error.reason)
        case .isFolder: self.init(.unreadable, path: error.path, "is a folder, not a picture")
        case .damaged: self.init(.damaged, path: error.path, error.reason)
        case .tooLarge: self.init(.tooLarge, path: error.path, error.reason)
        case .alreadyExists: self.init(.wouldOverwrite, path: error.path, error.reason)
        case .unwritable: self.init(.unwritable, path: error.path, error.reason)
        }
    }

    package var description: String { "\(path): \(reason)" }
}
