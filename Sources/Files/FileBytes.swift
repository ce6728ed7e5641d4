import Glibc

/// The bytes of a regular file, read into memory.
package struct FileBytes: ~Copyable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter maximumCount: larger files are refused before memory is allocated; 2 GiB by default.
    package init(path: String, maximumCount: Int = 2 << 30) throws(FileError) {
        bytes = try Self.read(path, maximumCount)
    }

    private static func read(_ path: String, _ maximumCount: Int) throws(FileError) -> UnsafeMutableRawBufferPointer {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw cannotRead(path) }
        defer { close(descriptor) }
        let count = try size(descriptor, path)
        guard count <= maximumCount, let memory = malloc(count) else {
            throw FileError(.tooLarge, path: path, "is too large a file: \(count) bytes, the limit is \(maximumCount)")
        }
        var position = 0
        while position < count {
            let got = Glibc.read(descriptor, memory + position, count - position)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                let reason = got == 0 ? "became shorter while it was read" : "cannot be read: \(systemErrorText())"
                free(memory)
                throw FileError(.unreadable, path: path, reason)
            }
            position += got
        }
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    /// The size in bytes of a regular file that is not empty.
    private static func size(_ descriptor: Int32, _ path: String) throws(FileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw cannotRead(path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileError(.isFolder, path: path, "is a folder, not a file")
        default: throw FileError(.unreadable, path: path, "is not a regular file")
        }
        guard status.st_size > 0 else { throw FileError(.damaged, path: path, "is empty (0 bytes)") }
        return Int(status.st_size)
    }

    deinit { free(bytes.baseAddress) }

    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(bytes))
    }

    private static func cannotRead(_ path: String) -> FileError {
        FileError(.unreadable, path: path, "cannot be read: \(systemErrorText())")
    }
}
