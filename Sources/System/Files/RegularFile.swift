import Glibc

/// A regular file, open for reading. Nothing else is ever opened to be read: a named pipe would wait for its writer, a
/// device may do anything.
package struct RegularFile: ~Copyable {
    /// For messages, and for system calls that need a name.
    package let path: FilePath
    package let descriptor: Int32
    /// Its status when it was opened.
    package let status: stat
    /// Its size in bytes then.
    package var count: Int { Int(status.st_size) }

    /// - Throws: `FileError`.
    package init(_ path: FilePath) throws(FileError) {
        let descriptor = path.withCString { open($0, Self.flags) }
        try self.init(descriptor, path)
    }

    /// Without `O_NONBLOCK`, opening a named pipe would wait for its writer.
    static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// Takes over a descriptor; a negative one is an error with its reason in `errno`.
    init(_ descriptor: Int32, _ path: FilePath) throws(FileError) {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.type == S_IFREG else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw Self.error(path, descriptor >= 0 ? status.type : 0, code)
        }
        self.path = path
        self.descriptor = descriptor
        self.status = status
    }

    private static func error(_ path: FilePath, _ type: mode_t, _ code: Int32) -> FileError {
        switch type {
        case 0: FileError(.unreadable, path: path, "cannot be read: \(systemErrorText(code))")
        case S_IFDIR: FileError(.isFolder, path: path, "is a folder, not a file")
        default: FileError(.unreadable, path: path, "is not a regular file")
        }
    }

    deinit { close(descriptor) }

    /// Reads bytes from a place in the file until the buffer is full.
    /// - Throws: `FileError`, also if the file has become shorter.
    package borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, from offset: Int = 0
    ) throws(FileError) {
        var position = 0
        while position < buffer.count {
            let got = pread(
                descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position, off_t(offset + position))
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                if got == 0 { throw FileError(.changed, path: path, "became shorter while it was read") }
                throw FileError(.unreadable, path: path, "cannot be read: \(systemErrorText())")
            }
            position += got
        }
    }
}
