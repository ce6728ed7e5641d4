import Glibc

/// A file that is written piece by piece. It grows beside its final name, under a hidden one, and takes its name when it
/// is complete, so that the name never stands for a part. Standard output, and what exists and is no regular file (a named
/// pipe, a device), is written to directly. It belongs to one thread.
package final class GrowingFile {
    /// The reader of the pipe has gone.
    package struct ClosedPipe: Error {}

    /// "-" for standard output.
    package let path: FilePath
    /// Nil when written to directly.
    private var temporary: TemporaryFile?
    private let descriptor: Int32
    private let replacing: Bool
    private var isFinished = false

    /// Creates the folder, too, if none exists.
    /// - Parameters:
    ///   - path: "-" is standard output.
    ///   - replacing: whether an existing file may be replaced.
    /// - Throws: `FileError` if the file exists and must not be replaced, or cannot be written.
    package init(_ path: some FilePathConvertible, replacing: Bool) throws(FileError) {
        let path = path.filePath
        self.path = path
        self.replacing = replacing
        if path == "-" {
            temporary = nil
            descriptor = STDOUT_FILENO
        } else if Self.isLinkToStandardOutput(path) {
            // /dev/stdout: the link must not be replaced where it leads to a file.
            temporary = nil
            descriptor = dup(STDOUT_FILENO)
            guard descriptor >= 0 else { throw AtomicFile.cannotWrite(path) }
        } else if Self.isStream(path) {
            temporary = nil
            descriptor = path.withCString { open($0, O_WRONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { throw AtomicFile.cannotWrite(path) }
        } else {
            guard !Folder.exists(path) else {
                throw FileError(.unwritable, path: path, "is a folder, but must be a file")
            }
            if replacing { try AtomicFile.checkIsReplaceable(path) } else { try AtomicFile.checkIsFree(path) }
            try Folder.createParent(of: path)
            let file = try TemporaryFile(for: path)
            descriptor = file.descriptor
            temporary = consume file
        }
    }

    /// Without `finish` nothing is left.
    deinit { if path != "-", temporary == nil, !isFinished { close(descriptor) } }

    /// Appends bytes, in one call of the system where it takes them all.
    /// - Throws: `ClosedPipe`, or `FileError` of kind `unwritable`.
    package func write(_ text: String) throws {
        var text = text
        let isWritten = text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        guard !isWritten else { return }
        if errno == EPIPE { throw ClosedPipe() }
        throw AtomicFile.cannotWrite(path == "-" ? "standard output" : path)
    }

    /// Gives the file its name. Nothing can be written afterwards.
    package func finish() throws(FileError) {
        guard let file = temporary.take() else { return }
        isFinished = true
        try file.rename(replacing: replacing)
    }

    private static func isLinkToStandardOutput(_ path: FilePath) -> Bool {
        guard let status = path.status(followsLinks: false), status.type == S_IFLNK else { return false }
        return FilePlace(path).map { $0 == FilePlace(descriptor: STDOUT_FILENO) } ?? false
    }

    private static func isStream(_ path: FilePath) -> Bool {
        guard let type = path.status(followsLinks: true)?.type else { return false }
        return type != S_IFREG && type != S_IFDIR
    }
}
