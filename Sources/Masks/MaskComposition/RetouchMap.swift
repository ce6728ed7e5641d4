import Pixels

/// What is added to the colours of a face: a small picture over a part of canonical UV, on which the geometry's texture
/// coordinates lie. Unchecked: it crosses to the threads that draw a list, which only read it, and is changed only between
/// two lists.
package final class RetouchMap: @unchecked Sendable {
    /// `rgba8`: each component is `zero` + 255 · `scale` · the sRGB-encoded difference; alpha is 255.
    package fileprivate(set) var pixels: PixelBuffer

    package static let zero: UInt8 = 128
    package static let scale: Float = 2

    init(width: Int, height: Int) throws(OutOfMemory) {
        pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
    }

    /// - Parameter difference: of each pixel.
    func fill(_ difference: (_ index: Int) -> SIMD3<Float>) {
        let width = pixels.width
        for y in 0..<pixels.height {
            pixels.withMutableRow(y) { row in
                for x in 0..<width {
                    let value = Float(Self.zero) + 0.5 + 255 * Self.scale * difference(y * width + x)
                    let limited = value.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
                    row[x] = SIMD4(UInt8(limited.x), UInt8(limited.y), UInt8(limited.z), 255)
                }
            }
        }
    }
}
