import CFiles
import Glibc

/// A checksum of 64 bits. It detects damage and change, but not manipulation.
package enum Checksum {
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        cfiles_checksum(bytes.baseAddress, bytes.count)
    }

    /// - Parameter sums: checksums of parts.
    package static func of(_ sums: [UInt64]) -> UInt64 { sums.withUnsafeBytes { of($0) } }

    /// In bytes.
    private static let piece = 1 << 20

    /// Of the content of a file that is in memory; the same as `ofFile`.
    package static func ofContent(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let starts = stride(from: 0, to: bytes.count, by: piece)
        let sums = starts.map { of(UnsafeRawBufferPointer(rebasing: bytes[$0..<min($0 + piece, bytes.count)])) }
        return of([UInt64(bytes.count)] + sums)
    }

    /// Of the content of a file, which is read in pieces of a mebibyte.
    /// - Throws: `FileError`.
    package static func ofFile(_ path: some FilePathConvertible) throws(FileError) -> UInt64 {
        let file = try RegularFile(path.filePath)
        let size = min(file.count, piece)
        guard let start = malloc(size) else {
            throw FileError(.unreadable, path: file.path, "cannot be read: not enough memory for \(size) bytes")
        }
        defer { free(start) }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: size)
        var sums = [UInt64(file.count)]
        var position = 0
        while position < file.count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory[..<min(memory.count, file.count - position)])
            try file.read(into: piece, from: position)
            sums.append(of(UnsafeRawBufferPointer(piece)))
            position += piece.count
        }
        return of(sums)
    }
}
