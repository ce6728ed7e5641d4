import Files
import Glibc

/// Bytes at offsets: of a file in memory, or of one that is only looked into.
protocol ByteSource: ~Copyable {
    /// - Returns: nil beyond the end.
    mutating func byte(at offset: Int) -> UInt8?
}

extension ByteSource where Self: ~Copyable {
    /// A big-endian number of two bytes.
    mutating func big16(at offset: Int) -> Int? {
        guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// A big-endian number of four bytes.
    mutating func big32(at offset: Int) -> Int? {
        guard let high = big16(at: offset), let low = big16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// A little-endian number of two bytes.
    mutating func little16(at offset: Int) -> Int? { little(2, at: offset) }

    /// A little-endian number of three bytes.
    mutating func little24(at offset: Int) -> Int? { little(3, at: offset) }

    /// A little-endian number of four bytes.
    mutating func little32(at offset: Int) -> Int? { little(4, at: offset) }

    private mutating func little(_ count: Int, at offset: Int) -> Int? {
        var number = 0
        for index in (0..<count).reversed() {
            guard let byte = byte(at: offset + index) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }
}

/// Bytes in memory. The buffer must outlive it.
struct MemoryBytes: ByteSource {
    let bytes: UnsafeRawBufferPointer

    func byte(at offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[offset] : nil }
}

/// The bytes of a regular file, read in pieces of 64 KiB where they are asked for: what is skipped is not read.
struct FilePieces: ~Copyable, ByteSource {
    private static let pieceSize = 1 << 16

    /// The file's size in bytes.
    let count: Int
    private let file: RegularFile
    private var piece: [UInt8] = []
    private var start = 0

    /// - Returns: nil when the file cannot be opened, or is none.
    init?(path: FilePath) {
        guard let file = try? RegularFile(path) else { return nil }
        count = file.count
        self.file = file
    }

    mutating func byte(at offset: Int) -> UInt8? {
        if offset >= start, offset - start < piece.count { return piece[offset - start] }
        return read(at: offset) ? piece[0] : nil
    }

    private mutating func read(at offset: Int) -> Bool {
        if piece.isEmpty { piece = [UInt8](repeating: 0, count: Self.pieceSize) }
        var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        var count = -1
        repeat { count = pread(file.descriptor, &bytes, bytes.count, off_t(offset)) } while count < 0 && errno == EINTR
        piece = Array(bytes.prefix(max(count, 0)))
        start = offset
        return count > 0
    }
}
