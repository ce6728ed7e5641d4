import Glibc

/// Bytes at offsets, of an untrusted file: in memory, or on a disk. Every access is checked; what lies outside reads as
/// nil.
package protocol ByteSource {
    /// - Returns: nil before the start and beyond the end.
    func byte(at offset: Int) -> UInt8?
}

extension ByteSource {
    /// - Parameter count: of bytes, at most 7.
    /// - Returns: nil unless all of the bytes are there.
    package func number(_ count: Int, at offset: Int, isBigEndian: Bool) -> Int? {
        var number = 0
        for index in 0..<count {
            // An offset that was read may be so large that a sum overflows.
            let (place, isTooLarge) = offset.addingReportingOverflow(isBigEndian ? index : count - 1 - index)
            guard !isTooLarge, let byte = byte(at: place) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    package func big16(at offset: Int) -> Int? { number(2, at: offset, isBigEndian: true) }
    package func big32(at offset: Int) -> Int? { number(4, at: offset, isBigEndian: true) }
    package func little16(at offset: Int) -> Int? { number(2, at: offset, isBigEndian: false) }
    package func little24(at offset: Int) -> Int? { number(3, at: offset, isBigEndian: false) }
    package func little32(at offset: Int) -> Int? { number(4, at: offset, isBigEndian: false) }
}

extension UnsafeRawBufferPointer: ByteSource {
    package func byte(at offset: Int) -> UInt8? { indices.contains(offset) ? self[offset] : nil }
}

extension [UInt8]: ByteSource {
    package func byte(at offset: Int) -> UInt8? { indices.contains(offset) ? self[offset] : nil }
}

/// The bytes of a regular file, read in pieces of 64 KiB where they are asked for: what is skipped is not read. It belongs to
/// one thread.
package final class FilePieces: ByteSource {
    private static let pieceSize = 1 << 16

    /// The file's size in bytes.
    package let count: Int
    package let file: RegularFile
    private var piece: [UInt8] = []
    private var start = 0

    /// - Returns: nil when the file cannot be opened, or is none.
    package convenience init?(path: FilePath) {
        guard let file = try? RegularFile(path) else { return nil }
        self.init(file)
    }

    package init(_ file: consuming RegularFile) {
        count = file.count
        self.file = file
    }

    package func byte(at offset: Int) -> UInt8? {
        if offset >= start, offset - start < piece.count { return piece[offset - start] }
        return read(at: offset) ? piece[0] : nil
    }

    private func read(at offset: Int) -> Bool {
        if piece.isEmpty { piece = [UInt8](repeating: 0, count: Self.pieceSize) }
        var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        var count = -1
        repeat { count = pread(file.descriptor, &bytes, bytes.count, off_t(offset)) } while count < 0 && errno == EINTR
        piece = Array(bytes.prefix(max(count, 0)))
        start = offset
        return count > 0
    }
}
