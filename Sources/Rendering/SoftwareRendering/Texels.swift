import CRasterizer
import Glibc
import Pixels

/// RGBA pixels as the rasteriser reads them: beyond the last column and row lies a copy of it, and rows begin at multiples
/// of 64 bytes.
final class Texels {
    private(set) var width: Int
    private(set) var height: Int
    private(set) var has16Bits: Bool
    private var storage: PixelBuffer
    /// Of the storage, which lives as long as the object or until its size changes.
    private var base: UnsafeMutableRawPointer
    /// In bytes.
    private var capacity: Int

    /// Largest side in pixels.
    static let largestSide = Int(CRASTERIZER_LARGEST_SIDE)

    /// Transparent black.
    /// - Parameters:
    ///   - width: 1…`largestSide`.
    ///   - height: 1…`largestSide`.
    init(width: Int, height: Int, has16Bits: Bool = false) throws(OutOfMemory) {
        precondition(min(width, height) >= 1 && max(width, height) <= Self.largestSide)
        (self.width, self.height, self.has16Bits) = (width, height, has16Bits)
        storage = try Self.makeStorage(width, height, has16Bits)
        (base, capacity) = Self.memory(of: &storage)
    }

    /// Changes the size; what the pixels are afterwards is not defined. Memory is allocated only if there is too little.
    func resize(width: Int, height: Int, has16Bits: Bool) throws(OutOfMemory) {
        precondition(min(width, height) >= 1 && max(width, height) <= Self.largestSide)
        if Self.texelsPerRow(width) * (height + 1) * (has16Bits ? 8 : 4) > capacity {
            // Exchanged, not assigned: where the storage is passed on right after an assignment, the optimiser of Swift 6.3 leaves
            // out that the old one is freed.
            var new = try Self.makeStorage(width, height, has16Bits)
            (base, capacity) = Self.memory(of: &new)
            swap(&storage, &new)
        }
        (self.width, self.height, self.has16Bits) = (width, height, has16Bits)
    }

    private static func texelsPerRow(_ width: Int) -> Int { (width + 1 + 15) / 16 * 16 }

    private static func makeStorage(
        _ width: Int, _ height: Int, _ has16Bits: Bool
    ) throws(OutOfMemory) -> PixelBuffer {
        try PixelBuffer(width: texelsPerRow(width), height: height + 1, format: has16Bits ? .rgba16 : .rgba8)
    }

    private static func memory(of storage: inout PixelBuffer) -> (base: UnsafeMutableRawPointer, capacity: Int) {
        storage.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("a picture has at least one pixel") }
            return (base, bytes.count)
        }
    }

    private var bytesPerPixel: Int { has16Bits ? 8 : 4 }
    private var bytesPerRow: Int { Self.texelsPerRow(width) * bytesPerPixel }

    /// For reading, as long as the object lives and keeps its size.
    var texture: crasterizer_texture {
        crasterizer_texture(
            texels: base, width: Int32(width), height: Int32(height), texels_per_row: Int32(Self.texelsPerRow(width)),
            has_16_bits: has16Bits)
    }

    /// For drawing into, as long as the object lives and keeps its size.
    var picture: crasterizer_picture {
        crasterizer_picture(
            pixels: base, bytes_per_row: bytesPerRow, width: Int32(width), height: Int32(height), has_16_bits: has16Bits
        )
    }

    var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

    // MARK: Content

    /// Copies a rectangle of a picture; the texels take its size and format.
    /// - Parameter rectangle: inside the picture.
    func copy(_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle) throws(OutOfMemory) {
        try resize(width: rectangle.width, height: rectangle.height, has16Bits: picture.format == .rgba16)
        let (stride, rowBytes) = (picture.bytesPerRow, rectangle.width * bytesPerPixel)
        picture.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for y in 0..<height {
                let from = start + (rectangle.y + y) * stride + rectangle.x * bytesPerPixel
                memcpy(base + y * bytesPerRow, from, rowBytes)
            }
        }
        repeatBorder()
    }

    /// Copies a rectangle of a picture to the same place, which must lie inside both.
    func replace(_ rectangle: PixelRectangle, from picture: borrowing PixelBuffer) {
        for y in rectangle.y..<rectangle.y + rectangle.height {
            let target = row(y)
            picture.withRow(y) { row in
                for x in rectangle.x..<rectangle.x + rectangle.width { target[x] = row[x] }
            }
        }
        repeatBorder()
    }

    /// Sets each pixel of 8 bits per component.
    func fill(_ color: (_ x: Int, _ y: Int) -> SIMD4<UInt8>) {
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width { row[x] = color(x, y) }
        }
        repeatBorder()
    }

    /// Replaces each pixel of 8 bits per component.
    /// - Parameter rectangle: inside the texels; nil: all of them.
    func update(in rectangle: PixelRectangle? = nil, _ change: (SIMD4<UInt8>) -> SIMD4<UInt8>) {
        let area = rectangle ?? bounds
        for y in area.y..<area.y + area.height {
            let row = row(y)
            for x in area.x..<area.x + area.width { row[x] = change(row[x]) }
        }
        repeatBorder()
    }

    /// Of 8 bits per component.
    func alpha(_ x: Int, _ y: Int) -> UInt8 { row(y)[x].w }

    private func row(_ y: Int) -> UnsafeMutablePointer<SIMD4<UInt8>> {
        precondition(!has16Bits)
        return (base + y * bytesPerRow).assumingMemoryBound(to: SIMD4<UInt8>.self)
    }

    /// Copies the last column and row to beyond it.
    func repeatBorder() {
        for y in 0..<height {
            let end = base + y * bytesPerRow + width * bytesPerPixel
            memcpy(end, end - bytesPerPixel, bytesPerPixel)
        }
        memcpy(base + height * bytesPerRow, base + (height - 1) * bytesPerRow, (width + 1) * bytesPerPixel)
    }
}
