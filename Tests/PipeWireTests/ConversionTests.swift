import CPipeWire
import Testing

/// RGB to YUV, against the definition of ITU-R BT.601 with limited range.
@Suite struct ConversionTests {
    /// The exact values of a colour: Y, Cb, Cr.
    private static func exact(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let (red, blue) = (0.299, 0.114)
        let y = (red * rgb.x + (1 - red - blue) * rgb.y + blue * rgb.z) / 255
        return SIMD3(
            16 + 219 * y, 128 + 224 * (rgb.z / 255 - y) / (2 * (1 - blue)),
            128 + 224 * (rgb.x / 255 - y) / (2 * (1 - red)))
    }

    /// - Parameter colour: of a pixel.
    private static func convert(
        _ format: cpipewire_format, width: Int, height: Int, padding: Int = 0, _ colour: (Int, Int) -> SIMD3<UInt8>
    ) -> [UInt8] {
        let stride = 4 * width + padding
        var pixels = [UInt8](repeating: 99, count: stride * height)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 { pixels[y * stride + 4 * x + channel] = colour(x, y)[channel] }
            }
        }
        var result = [UInt8](repeating: 0, count: cpipewire_size(format, UInt32(width), UInt32(height)))
        cpipewire_convert(format, UInt32(width), UInt32(height), pixels, stride, &result)
        return result
    }

    private static func noise(_ x: Int, _ y: Int) -> SIMD3<UInt8> {
        SIMD3(
            UInt8(truncatingIfNeeded: 73 &* x &+ 151 &* y), UInt8(truncatingIfNeeded: 199 &* x &- 37 &* y),
            UInt8(truncatingIfNeeded: (x &* x) &+ 11 &* y))
    }

    /// Where each format has the brightness of a pixel, and its colour.
    private static func places(
        _ format: cpipewire_format, _ x: Int, _ y: Int, width: Int, height: Int
    ) -> (y: Int, cb: Int, cr: Int) {
        let brightness = width * height
        switch format {
        case CPIPEWIRE_YUY2:
            let pair = 2 * width * y + x / 2 * 4
            return (pair + x % 2 * 2, pair + 1, pair + 3)
        case CPIPEWIRE_NV12:
            let pair = brightness + y / 2 * width + x / 2 * 2
            return (y * width + x, pair, pair + 1)
        default:
            let pair = y / 2 * (width / 2) + x / 2
            return (y * width + x, brightness + pair, brightness + brightness / 4 + pair)
        }
    }

    /// Every value is the nearest to the exact one; pixels that share a colour have its average. Widths leave rests of what a
    /// processor converts at once.
    @Test(arguments: [CPIPEWIRE_I420, CPIPEWIRE_NV12, CPIPEWIRE_YUY2], [(70, 578), (2, 2), (38, 4)])
    func yuvIsExact(_ format: cpipewire_format, _ size: (width: Int, height: Int)) {
        let (width, height) = size
        let converted = Self.convert(format, width: width, height: height, padding: 12, Self.noise)
        var largest = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let (left, top) = (x / 2 * 2, format == CPIPEWIRE_YUY2 ? y : y / 2 * 2)
                var sum = SIMD3<Double>()
                let rows = format == CPIPEWIRE_YUY2 ? 1 : 2
                for row in 0..<rows {
                    for column in 0..<2 { sum += SIMD3<Double>(Self.noise(left + column, top + row)) }
                }
                let own = Self.exact(SIMD3<Double>(Self.noise(x, y)))
                let shared = Self.exact(sum / Double(2 * rows))
                let place = Self.places(format, x, y, width: width, height: height)
                for (value, wanted) in [
                    (converted[place.y], own.x), (converted[place.cb], shared.y), (converted[place.cr], shared.z),
                ] { largest = max(largest, (Double(value) - wanted).magnitude) }
            }
        }
        #expect(largest < 0.5005)
    }

    @Test func wellKnownColoursAreTheirs() {
        let bars: [(SIMD3<UInt8>, [UInt8])] = [
            (SIMD3(255, 255, 255), [235, 128, 128]), (SIMD3(0, 0, 0), [16, 128, 128]),
            (SIMD3(255, 0, 0), [81, 90, 240]), (SIMD3(0, 255, 0), [145, 54, 34]), (SIMD3(0, 0, 255), [41, 240, 110]),
            (SIMD3(128, 128, 128), [126, 128, 128]),
        ]
        for (colour, wanted) in bars {
            let pixels = Self.convert(CPIPEWIRE_YUY2, width: 2, height: 2) { _, _ in colour }
            #expect([pixels[0], pixels[1], pixels[3]] == wanted, "\(colour)")
        }
    }

    @Test func rgbStaysAsItIs() {
        let pixels = Self.convert(CPIPEWIRE_RGBA, width: 6, height: 4, padding: 8, Self.noise)
        for y in 0..<4 {
            for x in 0..<6 {
                let place = 4 * (6 * y + x)
                #expect(SIMD3(pixels[place], pixels[place + 1], pixels[place + 2]) == Self.noise(x, y))
            }
        }
    }
}
