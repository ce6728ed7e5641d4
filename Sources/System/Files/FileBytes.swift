import Glibc

/// The bytes of a regular file, read into memory.
package struct FileBytes: ~Copyable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter maximumCount: larger files are refused before memory is allocated; 2 GiB by default.
    package init(path: some FilePathConvertible, maximumCount: Int = 2 << 30) throws(FileError) {
        try self.init(RegularFile(path.filePath), maximumCount: maximumCount)
    }

    package init(_ file: borrowing RegularFile, maximumCount: Int = 2 << 30) throws(FileError) {
        guard file.count > 0 else { throw FileError(.damaged, path: file.path, "is empty (0 bytes)") }
        bytes = try Self.read(file, maximumCount)
    }

    private static func read(
        _ file: borrowing RegularFile, _ maximumCount: Int
    ) throws(FileError) -> UnsafeMutableRawBufferPointer {
        let (path, count) = (file.path, file.count)
        guard count <= maximumCount, let memory = malloc(count) else {
            throw FileError(.tooLarge, path: path, "is too large a file: \(count) bytes, the limit is \(maximumCount)")
        }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        do throws(FileError) {
            try file.read(into: bytes)
        } catch {
            free(memory)
            throw error
        }
        return bytes
    }

    deinit { free(bytes.baseAddress) }

    /// Hands the memory over, to be freed with `free`.
    package consuming func release() -> UnsafeMutableRawBufferPointer {
        let bytes = bytes
        discard self
        return bytes
    }

    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(bytes))
    }
}
