import Display
import Pixels

/// What galleries show in place of thumbnails.
package enum ThumbnailPlaceholder {
    /// A grey area, for what cannot be drawn.
    package static func blank() -> PanelPicture? { picture { _ in } }

    /// Three dots on it, for what is being drawn.
    package static func waiting() -> PanelPicture? {
        picture { pixels in
            let (middle, side) = (pixels.height / 2, pixels.width / 16)
            for dot in -1...1 {
                let left = pixels.width / 2 + 2 * dot * side - side / 2
                for y in (middle - side / 2)..<(middle + side / 2) {
                    pixels.withMutableRow(y) { row in
                        for x in left..<(left + side) { row[x] = SIMD4(130, 130, 136, 255) }
                    }
                }
            }
        }
    }

    private static let color = SIMD4<UInt8>(48, 48, 52, 255)

    /// - Parameter pixel: with straight alpha.
    static func color(under pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let (above, below) = (SIMD4<Int>(truncatingIfNeeded: pixel), SIMD4<Int>(truncatingIfNeeded: color))
        var mixed = SIMD4<UInt8>(truncatingIfNeeded: (above &* above.w &+ below &* (255 - above.w)) / 255)
        mixed.w = 255
        return mixed
    }

    private static func picture(_ draw: (inout PixelBuffer) -> Void) -> PanelPicture? {
        guard var pixels = try? PixelBuffer(width: 64, height: 64, format: .rgba8) else { return nil }
        // Opaque: the colour of the chosen mask's frame is behind it.
        pixels.fill(color)
        draw(&pixels)
        return PanelPicture(pixels)
    }
}
