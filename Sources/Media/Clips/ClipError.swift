import Files

/// Why a clip cannot be read or written. The description is a sentence for the user and names the file.
package struct ClipError: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The file does not exist, or permission is denied.
        case unreadable
        /// It has no video that ffmpeg can decode.
        case notAVideo
        /// It cannot be decoded to its end.
        case damaged
        /// It cannot be written: the disk is full, the format is unknown, or the address cannot be reached.
        case unwritable
        /// ffmpeg is not installed, or could not be started.
        case noFFmpeg
        case outOfMemory
        /// The program was asked to end while it was read.
        case interrupted
    }

    package let kind: Kind
    /// As messages show it.
    package let path: String
    package let reason: String
    /// Whether the reason is in ffmpeg's words, which are for people who know it.
    package let quotesFFmpeg: Bool

    package init(
        _ kind: Kind, path: some FilePathConvertible, _ reason: String, quotesFFmpeg: Bool = false
    ) {
        self.kind = kind
        self.path = path.filePath.description
        (self.reason, self.quotesFFmpeg) = (reason, quotesFFmpeg)
    }

    init(interrupted path: some FilePathConvertible) { self.init(.interrupted, path: path, "interrupted") }

    package var description: String { "\(path): \(reason)" }
}
