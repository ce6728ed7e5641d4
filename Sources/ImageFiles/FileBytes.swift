import Glibc

/// Reads small files whole.
package enum FileContents {
    /// - Throws: `PictureError` when the file cannot be read or has more than `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(PictureError) -> [UInt8] {
        let file = try FileBytes(path: path, maximumCount: limit)
        return file.withUnsafeBytes { Array($0) }
    }
}

/// The bytes of a regular file, read whole.
struct FileBytes: ~Copyable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter maximumCount: larger files are refused; no picture of the size allowed needs 2 GiB.
    init(path: String, maximumCount: Int = 2 << 30) throws(PictureError) {
        bytes = try Self.read(path, maximumCount)
    }

    private static func read(_ path: String, _ maximumCount: Int) throws(PictureError) -> UnsafeMutableRawBufferPointer
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw cannotRead(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw cannotRead(path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw PictureError(.unreadable, path: path, "is a folder, not a picture")
        default: throw PictureError(.unreadable, path: path, "is not a regular file")
        }
        let count = Int(status.st_size)
        guard count > 0 else { throw PictureError(.damaged, path: path, "is empty (0 bytes)") }
        guard count <= maximumCount, let memory = malloc(count) else {
            throw PictureError(
                .tooLarge, path: path, "is too large a file: \(count) bytes, the limit is \(maximumCount)")
        }
        var position = 0
        while position < count {
            let got = Glibc.read(descriptor, memory + position, count - position)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                let reason = got == 0 ? "became shorter while it was read" : "cannot be read: \(errorText())"
                free(memory)
                throw PictureError(.unreadable, path: path, reason)
            }
            position += got
        }
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    deinit { free(bytes.baseAddress) }

    borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(bytes))
    }

    private static func cannotRead(_ path: String) -> PictureError {
        PictureError(.unreadable, path: path, "cannot be read: \(errorText())")
    }
}

/// The system's words for the last error of a system call.
func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
