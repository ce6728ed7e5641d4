import Glibc
import Pixels

/// Equal stretches of memory at equal distances, such as the rows of a picture without the padding at their ends. Many rows are
/// read or written with one system call.
struct ByteRows {
    private let base: UnsafeMutableRawPointer
    /// Without the padding, in bytes.
    private let rowLength: Int
    /// From the beginning of a row to that of the next, in bytes.
    private let stride: Int
    /// In bytes.
    let count: Int

    /// - Parameters:
    ///   - bytes: all rows with their padding; they must stay where they are while this value is used.
    ///   - rowLength: in bytes, at least 1.
    ///   - stride: in bytes, at least `rowLength`.
    ///   - rows: at least 1.
    init(_ bytes: UnsafeMutableRawBufferPointer, rowLength: Int, stride: Int, rows: Int) {
        precondition(rowLength > 0 && rows > 0 && stride >= rowLength && bytes.count >= stride * (rows - 1) + rowLength)
        guard let base = bytes.baseAddress else { preconditionFailure("rows have memory") }
        self.base = base
        count = rowLength * rows
        // Without padding, all of them are one.
        (self.rowLength, self.stride) = rowLength == stride ? (count, count) : (rowLength, stride)
    }

    /// Memory without padding.
    /// - Parameter bytes: at least one.
    init(_ bytes: UnsafeMutableRawBufferPointer) {
        self.init(bytes, rowLength: bytes.count, stride: bytes.count, rows: 1)
    }

    /// Writes all bytes to a file descriptor. Continues after partial writes and after interruptions by signals.
    /// - Returns: false if the system reports an error; `errno` then holds it.
    func write(to descriptor: Int32) -> Bool {
        var position = 0
        while position < count {
            let written = withParts(from: position) { writev(descriptor, $0, $1) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            position += written
        }
        return true
    }

    /// Reads once, as many bytes as there are.
    /// - Parameter position: how many bytes have been read before.
    /// - Returns: as `readv` does.
    func read(from descriptor: Int32, at position: Int) -> Int {
        while true {
            let count = withParts(from: position) { readv(descriptor, $0, $1) }
            if count < 0 && errno == EINTR { continue }
            return count
        }
    }

    /// The memory of the bytes from a position on, of as many rows as one system call takes.
    private func withParts(from position: Int, _ body: (UnsafePointer<iovec>?, Int32) -> Int) -> Int {
        // Linux takes 1,024 (`IOV_MAX`); a pipe of a megabyte holds 242 rows of 1,080 pixels.
        var parts = InlineArray<256, iovec>(repeating: iovec())
        let (first, offset) = position.quotientAndRemainder(dividingBy: rowLength)
        let partCount = min(parts.count, count / rowLength - first)
        for part in 0..<partCount {
            let skipped = part == 0 ? offset : 0
            parts[part] = iovec(iov_base: base + (first + part) * stride + skipped, iov_len: rowLength - skipped)
        }
        return withUnsafeBytes(of: &parts) {
            body($0.baseAddress?.assumingMemoryBound(to: iovec.self), Int32(partCount))
        }
    }
}

extension PixelBuffer {
    /// The rows in the order of the picture. They must not leave `body`, which only reads them.
    borrowing func withRows<Result>(_ body: (ByteRows) -> Result) -> Result {
        withUnsafeBytes { body(rows(UnsafeMutableRawBufferPointer(mutating: $0))) }
    }

    /// The rows in the order of the picture, to be filled. They must not leave `body`.
    mutating func withMutableRows<Result>(_ body: (ByteRows) -> Result) -> Result {
        let (rowLength, stride, rows) = (width * format.bytesPerPixel, bytesPerRow, height)
        return withUnsafeMutableBytes { body(ByteRows($0, rowLength: rowLength, stride: stride, rows: rows)) }
    }

    private borrowing func rows(_ bytes: UnsafeMutableRawBufferPointer) -> ByteRows {
        ByteRows(bytes, rowLength: width * format.bytesPerPixel, stride: bytesPerRow, rows: height)
    }
}
