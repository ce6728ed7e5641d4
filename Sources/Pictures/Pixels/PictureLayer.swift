/// A part of what was drawn on a picture, which painting programs lay over what is below it.
package final class PictureLayer: Sendable {
    package let name: String
    /// `rgba8`, straight alpha.
    package let pixels: PixelBuffer
    /// Of its upper left corner in the picture, in pixels.
    package let x: Int
    package let y: Int

    package init(name: String, pixels: consuming PixelBuffer, x: Int = 0, y: Int = 0) {
        self.name = name
        self.pixels = pixels
        (self.x, self.y) = (x, y)
    }

    /// The layer that, laid over one picture, makes another one of it: each component within 1 of 255. It is as large as what
    /// differs.
    ///
    /// Of a source with the alpha a over a backdrop (W3C, Compositing and Blending Level 1, 5.1), the colour follows from the
    /// result. It exists only if a is large enough; where `coverage` is smaller, a is the least that suffices.
    /// - Parameters:
    ///   - before: the backdrop, `rgba8`.
    ///   - after: of the same size and format.
    ///   - coverage: whose alpha is that of the layer as far as possible; likewise.
    /// - Returns: nil if the pictures are equal.
    package static func difference(
        named name: String, from before: borrowing PixelBuffer, to after: borrowing PixelBuffer,
        coverage: borrowing PixelBuffer
    ) throws(OutOfMemory) -> PictureLayer? {
        guard let area = Self.difference(before, after) else { return nil }
        var pixels = try PixelBuffer(width: area.width, height: area.height, format: .rgba8)
        let (left, top, stride) = (area.x, area.y, before.bytesPerRow)
        for y in 0..<area.height {
            // Noncopyable pictures cannot be captured by the closure of another one.
            let start = (top + y) * stride + 4 * left
            before.withUnsafeBytes { before in
                after.withUnsafeBytes { after in
                    coverage.withUnsafeBytes { coverage in
                        pixels.withMutableRow(y) { row in
                            for x in row.indices {
                                func pixel(_ bytes: UnsafeRawBufferPointer) -> SIMD4<UInt8> {
                                    bytes.load(fromByteOffset: start + 4 * x, as: SIMD4<UInt8>.self)
                                }
                                row[x] = source(from: pixel(before), to: pixel(after), alpha: pixel(coverage).w)
                            }
                        }
                    }
                }
            }
        }
        return PictureLayer(name: name, pixels: pixels, x: left, y: top)
    }

    /// What has to be laid over a pixel to make another one of it.
    /// - Parameter alpha: the wanted one.
    private static func source(from before: SIMD4<UInt8>, to after: SIMD4<UInt8>, alpha: UInt8) -> SIMD4<UInt8> {
        guard before != after else { return SIMD4(repeating: 0) }
        func premultiplied(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
            let values = SIMD4<Float>(pixel) / 255
            return SIMD4(values.x * values.w, values.y * values.w, values.z * values.w, values.w)
        }
        let (backdrop, result) = (premultiplied(before), premultiplied(after))
        // 0 ≤ result − (1 − a) · backdrop ≤ a, for each colour and for alpha.
        var least = Float(alpha) / 255
        for index in 0..<4 {
            let (b, r) = (backdrop[index], result[index])
            if r < b { least = max(least, 1 - r / b) } else if r > b { least = max(least, (r - b) / (1 - b)) }
        }
        let weight = max(1, min(255, (255 * least - 0.001).rounded(.up))) / 255
        let color = (result - (1 - weight) * backdrop) / weight
        var pixel = SIMD4<UInt8>(truncating: 255 * color + 0.5)
        pixel.w = UInt8(255 * weight + 0.5)
        return pixel
    }

    /// The smallest rectangle around all pixels that differ; nil if none does.
    private static func difference(_ a: borrowing PixelBuffer, _ b: borrowing PixelBuffer) -> PixelRectangle? {
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        let (width, stride) = (a.width, a.bytesPerRow)
        for y in 0..<a.height {
            a.withUnsafeBytes { a in
                b.withUnsafeBytes { b in
                    func differs(_ x: Int) -> Bool {
                        let offset = y * stride + 4 * x
                        return a.load(fromByteOffset: offset, as: UInt32.self)
                            != b.load(fromByteOffset: offset, as: UInt32.self)
                    }
                    guard let first = (0..<width).first(where: differs),
                        let last = (0..<width).last(where: differs)
                    else { return }
                    (left, right) = (min(left, first), max(right, last))
                    (top, bottom) = (min(top, y), y)
                }
            }
        }
        return bottom < 0
            ? nil : PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}
