import Glibc

/// A file that is written piece by piece. It grows beside its final name, under a hidden one, and takes its name when it
/// is complete, so that the name never stands for a part. Standard output, and what exists and is no regular file (a named
/// pipe, a device), is written to directly. It belongs to one thread.
package final class GrowingFile {
    /// The reader of the pipe has gone.
    package struct ClosedPipe: Error {}

    package let path: String
    /// Nil when written to directly.
    private let temporary: String?
    private let descriptor: Int32
    private let replacing: Bool
    private var isFinished = false

    /// Creates the folder, too, if there is none.
    /// - Parameters:
    ///   - path: "-" is standard output.
    ///   - replacing: whether an existing file may be replaced.
    /// - Throws: `FileError` if the file exists and must not be replaced, or cannot be written.
    package init(_ path: String, replacing: Bool) throws(FileError) {
        self.path = path
        self.replacing = replacing
        if path == "-" {
            temporary = nil
            descriptor = STDOUT_FILENO
            return
        }
        if Self.isStream(path) {
            temporary = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            guard !Folder.exists(path) else {
                throw FileError(.unwritable, path: path, "is a folder, where a file is needed")
            }
            if !replacing { try AtomicFile.checkIsFree(path) }
            try Folder.createParent(of: path)
            let name = TemporaryFile.name(beside: path)
            temporary = name
            descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Without `finish` nothing is left.
    deinit {
        if path != "-" { close(descriptor) }
        if let temporary, !isFinished { unlink(temporary) }
    }

    /// Appends bytes, in one call of the system where it takes them all.
    /// - Throws: `ClosedPipe`, or `FileError` of kind `unwritable`.
    package func write(_ text: String) throws {
        var text = text
        let isWritten = text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        guard !isWritten else { return }
        if errno == EPIPE { throw ClosedPipe() }
        throw FileError(
            .unwritable, path: path == "-" ? "standard output" : path, "cannot be written: \(systemErrorText())")
    }

    /// Gives the file its name.
    package func finish() throws(FileError) {
        guard let temporary, !isFinished else { return }
        // On failure the temporary file is removed, too.
        isFinished = true
        try AtomicFile.rename(temporary, to: path, replacing: replacing)
    }

    private static func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }
}
