import Pixels

extension PixelBuffer {
    /// Whether a picture with three components is a black-and-white one: at most one in a thousand of its pixels is
    /// coloured, by more than what compression leaves.
    borrowing func isBlackAndWhite() -> Bool {
        switch format {
        case .grey8: true
        case .rgba8: isGrey(SIMD4<UInt8>.self, upTo: 10)
        case .rgba16: isGrey(SIMD4<UInt16>.self, upTo: 10 * 257)
        }
    }

    /// - Parameter limit: of the difference of two components.
    private borrowing func isGrey<Component: FixedWidthInteger & SIMDScalar>(
        _ type: SIMD4<Component>.Type, upTo limit: Component
    ) -> Bool {
        // A quarter of a million pixels are enough.
        let step = max(1, Int((Double(width * height) / 250_000).squareRoot()))
        var (coloured, count) = (0, 0)
        withUnsafeBytes { bytes in
            for y in stride(from: step / 2, to: height, by: step) {
                for x in stride(from: step / 2, to: width, by: step) {
                    let pixel = bytes.load(
                        fromByteOffset: y * bytesPerRow + x * MemoryLayout<SIMD4<Component>>.size,
                        as: SIMD4<Component>.self)
                    count += 1
                    guard pixel.w > 0 else { continue }
                    let most = max(pixel.x, pixel.y, pixel.z)
                    let least = min(pixel.x, pixel.y, pixel.z)
                    if most - least > limit { coloured += 1 }
                }
            }
        }
        return 1000 * coloured <= count
    }
}
