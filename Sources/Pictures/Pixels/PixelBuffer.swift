import Glibc

/// A picture in memory. The value owns its memory and is never copied implicitly.
///
/// ```
/// bytes ─► |◄──────── bytesPerRow (a multiple of 64) ────────►|
///          | pixel 0 | pixel 1 | …  | pixel width−1 | padding |   row 0, the top
///          | …                                                |   row height−1
/// ```
package struct PixelBuffer: ~Copyable, @unchecked Sendable {
    package let width: Int
    package let height: Int
    package let format: PixelFormat
    package let bytesPerRow: Int

    private let allocation: UnsafeMutableRawPointer
    private let base: UnsafeMutableRawPointer

    /// A buffer of zeros.
    /// - Throws: `OutOfMemory`: a picture from a file may be larger than the machine's memory.
    package init(width: Int, height: Int, format: PixelFormat) throws(OutOfMemory) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        let alignment = 64
        let bytesPerRow = (width * format.bytesPerPixel + alignment - 1) / alignment * alignment
        let (count, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
        guard !overflow, let allocation = calloc(1, count + alignment) else {
            throw OutOfMemory(width: width, height: height)
        }
        self.width = width
        self.height = height
        self.format = format
        self.bytesPerRow = bytesPerRow
        self.allocation = allocation
        base = allocation.alignedUp(toMultipleOf: alignment)
    }

    /// A buffer of that size: `spare` with its old content if size and format match, or else a new one.
    package static func reusing(
        _ spare: consuming PixelBuffer?, width: Int, height: Int, format: PixelFormat
    ) throws(OutOfMemory) -> PixelBuffer {
        if let spare, spare.width == width, spare.height == height, spare.format == format { return spare }
        return try PixelBuffer(width: width, height: height, format: format)
    }

    deinit { free(allocation) }

    package var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

    /// All rows with their padding. The pointer must not leave `body`.
    package borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: bytesPerRow * height))
    }

    /// All rows with their padding. The pointer must not leave `body`.
    package mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(start: base, count: bytesPerRow * height))
    }

    /// The pixels of one row of an `rgba8` picture.
    package borrowing func withRow<Result>(_ y: Int, _ body: (Span<SIMD4<UInt8>>) -> Result) -> Result {
        precondition(format == .rgba8 && y >= 0 && y < height)
        let row = (base + y * bytesPerRow).assumingMemoryBound(to: SIMD4<UInt8>.self)
        return body(Span(_unsafeStart: UnsafePointer(row), count: width))
    }

    /// The mutable pixels of one row of an `rgba8` picture.
    package mutating func withMutableRow<Result>(
        _ y: Int, _ body: (inout MutableSpan<SIMD4<UInt8>>) -> Result
    ) -> Result {
        precondition(format == .rgba8 && y >= 0 && y < height)
        let row = (base + y * bytesPerRow).assumingMemoryBound(to: SIMD4<UInt8>.self)
        var span = MutableSpan(_unsafeStart: row, count: width)
        return body(&span)
    }

    /// Red, green, blue and alpha (0…255 or 0…65535); (grey, grey, grey, 255) for grey pictures. For tests and
    /// tools; too slow for loops over whole pictures.
    package subscript(x: Int, y: Int) -> SIMD4<UInt16> {
        precondition(x >= 0 && x < width && y >= 0 && y < height)
        let pixel = base + y * bytesPerRow + x * format.bytesPerPixel
        switch format {
        case .grey8:
            let grey = UInt16(pixel.load(as: UInt8.self))
            return SIMD4(grey, grey, grey, 255)
        case .rgba8: return SIMD4(truncatingIfNeeded: pixel.load(as: SIMD4<UInt8>.self))
        case .rgba16: return pixel.load(as: SIMD4<UInt16>.self)
        }
    }

    /// An explicit copy.
    package borrowing func copy() throws(OutOfMemory) -> PixelBuffer {
        let result = try PixelBuffer(width: width, height: height, format: format)
        memcpy(result.base, base, bytesPerRow * height)
        return result
    }

    /// Copies the pixels of a picture of the same size and format.
    package mutating func overwrite(with other: borrowing PixelBuffer) {
        precondition(width == other.width && height == other.height && format == other.format)
        memcpy(base, other.base, bytesPerRow * height)
    }
}

/// A picture does not fit in memory.
package struct OutOfMemory: Error, CustomStringConvertible {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var description: String { "not enough memory for a picture of \(width) × \(height) pixels" }
}
