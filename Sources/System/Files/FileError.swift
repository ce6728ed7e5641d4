/// Why a file or folder cannot be read or written. Says only what is true of any file; what concerns its content as a
/// picture or a mask is the error of the module that reads it.
package struct FileError: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// It does not exist, or the system refuses to read it.
        case unreadable
        /// A folder was given where a file is needed.
        case isFolder
        /// It is empty, or its content is not in the expected format.
        case damaged
        case tooLarge
        /// Writing would replace an existing file.
        case alreadyExists
        case unwritable
        /// It became another while it was read.
        case changed
    }

    package let kind: Kind
    /// As messages show it.
    package let path: String
    /// Completes the sentence that begins with the path: "cannot be read: Permission denied".
    package let reason: String

    package init(_ kind: Kind, path: some FilePathConvertible, _ reason: String) {
        self.kind = kind
        self.path = path.filePath.description
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
