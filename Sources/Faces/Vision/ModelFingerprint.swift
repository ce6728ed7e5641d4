import Files

/// Identifies a model's file without reading all of its hundred megabytes: a checksum of its size and of 64 pieces.
package struct ModelFingerprint {
    package let value: UInt64

    private static let pieceSize = 4096

    package init(of bytes: UnsafeRawBufferPointer) {
        value = Self.checksum(
            of: bytes.count, Self.pieces(of: bytes.count).map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
    }

    package init(of file: borrowing RegularFile) throws(FileError) {
        let pieces = Self.pieces(of: file.count)
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: pieces.reduce(0) { $0 + $1.count }, alignment: 8)
        defer { memory.deallocate() }
        var parts: [UnsafeRawBufferPointer] = []
        var end = 0
        for piece in pieces {
            let part = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + piece.count])
            try file.read(into: part, from: piece.lowerBound)
            parts.append(UnsafeRawBufferPointer(part))
            end += piece.count
        }
        value = Self.checksum(of: file.count, parts)
    }

    private static func pieces(of count: Int) -> [Range<Int>] {
        (0..<64).map { index in
            let start = (count - min(count, pieceSize)) / 63 * index
            return start..<min(count, start + pieceSize)
        }
    }

    private static func checksum(of count: Int, _ parts: [UnsafeRawBufferPointer]) -> UInt64 {
        let sums = [UInt64(count)] + parts.map { Checksum.of($0) }
        return Checksum.of(sums)
    }
}
