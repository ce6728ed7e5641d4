import Files
import Glibc
import JSON

/// A file to which lines are appended, each in one call of the system, so that several processes may do so.
package final class GrowingJournal {
    private let path: FilePath
    private let descriptor: Int32
    /// Whether the last line may be without its end.
    private var isCutOff = false

    /// Creates the file if it does not exist.
    /// - Parameter first: the first line of this run.
    package init(_ path: FilePath, first: JSONValue) throws(FileError) {
        self.path = path
        try Folder.createParent(of: path)
        descriptor = path.withCString {
            open($0, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
        }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.type == S_IFREG else {
            throw FileError(
                .unwritable, path: path,
                "cannot be written: \(descriptor < 0 ? systemErrorText() : "it is not a regular file")")
        }
        guard status.st_nlink <= 1 else { throw Self.hardLink(path) }
        // The last line of a killed run may be cut off.
        isCutOff = status.st_size > 0
        try append(first)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func append(_ line: JSONValue) throws(FileError) {
        let bytes = Array(((isCutOff ? "\n" : "") + line.text() + "\n").utf8)
        isCutOff = !bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
        if isCutOff {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Waits until the lines are on the disk.
    package func synchronise() throws(FileError) {
        guard fdatasync(descriptor) == 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Appending to a file with two names would change the other one, too.
    package static func hardLink(_ path: FilePath) -> FileError {
        FileError(
            .unwritable, path: path,
            "has another name (a hard link) elsewhere, which would change, too; replace it with a copy or "
                + "choose another --output")
    }
}
