/// Why a clip cannot be read or written. The description is a sentence for the person at the keyboard and names the file.
package struct ClipError: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// There is no such file, or it may not be read.
        case unreadable
        /// It has no video that ffmpeg can decode.
        case notAVideo
        /// It stops being one somewhere.
        case damaged
        /// It cannot be written: the disk is full, the format unknown, the address not reachable.
        case unwritable
        /// ffmpeg is not installed, or could not be started.
        case noFFmpeg
        case outOfMemory
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
