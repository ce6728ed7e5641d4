import CFrameFormats
import Testing

/// Conversions between RGBA and the formats of other programs, against the definitions of ITU-R BT.601 and BT.709.
@Suite struct FrameFormatTests {
    private static let formats = [CFRAME_I420, CFRAME_NV12, CFRAME_YUY2]

    /// A picture with its memory.
    private final class Picture {
        var frame: cframe_picture
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(_ format: cframe_format, _ width: Int, _ height: Int, isBT709: Bool = false, isFull: Bool = false) {
            frame = cframe_picture()
            (frame.format, frame.is_bt709, frame.is_full) = (format, isBT709, isFull)
            (frame.width, frame.height) = (UInt32(width), UInt32(height))
            var offsets: [Int] = [], strides: [Int] = [], count = 0
            for plane in 0..<cframe_planes(format) {
                offsets.append(count)
                strides.append(cframe_row_bytes(format, plane, frame.width) + 3)
                count += strides[Int(plane)] * Int(cframe_rows(format, plane, frame.height))
            }
            bytes = .allocate(capacity: count)
            bytes.initialize(repeating: 7)
            func start(_ plane: Int) -> UnsafeMutablePointer<UInt8>? {
                plane < offsets.count ? bytes.baseAddress.map { $0 + offsets[plane] } : nil
            }
            frame.planes = (start(0), start(1), start(2))
            frame.strides = (strides[0], strides.count > 1 ? strides[1] : 0, strides.count > 2 ? strides[2] : 0)
        }

        deinit { bytes.deallocate() }

        func take(_ rgba: [UInt8]) { cframe_from_rgba(&frame, rgba, 4 * Int(frame.width)) }

        var rgba: [UInt8] {
            var result = [UInt8](repeating: 0, count: Int(4 * frame.width * frame.height))
            cframe_to_rgba(&frame, &result, 4 * Int(frame.width))
            return result
        }

        func update(_ rgba: [UInt8]) {
            var rows = [UInt8](repeating: 0, count: Int(8 * frame.width))
            cframe_update(&frame, rgba, 4 * Int(frame.width), &rows)
        }
    }

    private func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<4 * width * height).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return index % 4 == 3 ? 255 : UInt8(state >> 56)
        }
    }

    @Test(arguments: [false, true], [false, true]) func coloursAreThoseOfTheStandards(isBT709: Bool, isFull: Bool) {
        let (red, blue) = isBT709 ? (0.2126, 0.0722) : (0.299, 0.114)
        for color in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [12, 200, 90]] {
            let (r, g, b) = (Double(color[0]) / 255, Double(color[1]) / 255, Double(color[2]) / 255)
            let y = red * r + (1 - red - blue) * g + blue * b
            let (u, v) = ((b - y) / (2 - 2 * blue), (r - y) / (2 - 2 * red))
            let wanted =
                isFull ? [255 * y, 128 + 255 * u, 128 + 255 * v] : [16 + 219 * y, 128 + 224 * u, 128 + 224 * v]
            let picture = Picture(CFRAME_I420, 2, 2, isBT709: isBT709, isFull: isFull)
            let pixel = color.map { UInt8($0) } + [255]
            picture.take(pixel + pixel + pixel + pixel)
            let found = [picture.frame.planes.0, picture.frame.planes.1, picture.frame.planes.2].map { $0?[0] ?? 0 }
            for (value, exact) in zip(found, wanted) { #expect(abs(Double(value) - min(255, exact)) < 0.501) }
            for (value, exact) in zip(picture.rgba, pixel) { #expect(abs(Int(value) - Int(exact)) <= 2) }
        }
    }

    /// Also of odd sizes, and not a byte beside them.
    @Test(arguments: formats, [(8, 6), (2, 1), (34, 17)]) func onlyChangedPixelsAreWritten(
        _ format: cframe_format, _ size: (Int, Int)
    ) {
        let (width, height) = (format == CFRAME_YUY2 ? size.0 : size.0 - 1, size.1)
        let (picture, original) = (Picture(format, width, height), Picture(format, width, height))
        for (index, value) in noise(picture.bytes.count, 1).prefix(picture.bytes.count).enumerated() {
            picture.bytes[index] = value
            original.bytes[index] = value
        }
        var pixels = picture.rgba
        picture.update(pixels)
        #expect(picture.bytes.elementsEqual(original.bytes))
        // One pixel: its brightness, and the two colours that it shares.
        let place = 4 * (width * (height / 2) + width / 2)
        for index in 0..<3 { pixels[place + index] ^= 0x80 }
        picture.update(pixels)
        let changed = zip(picture.bytes, original.bytes).count { $0 != $1 }
        #expect(changed > 0 && changed <= 3)
        // All of them: as a whole conversion.
        let whole = Picture(format, width, height)
        let other = picture.rgba.enumerated().map { $0.offset % 4 == 3 ? 255 : $0.element ^ 0x80 }
        picture.update(other)
        whole.take(other)
        #expect(picture.rgba == whole.rgba)
    }

    @Test func otherOrdersOfRGBLoseNothing() {
        let pixels = noise(7, 3)
        for format in [CFRAME_RGBA, CFRAME_BGRA] {
            let picture = Picture(format, 7, 3)
            picture.take(pixels)
            #expect(picture.rgba == pixels)
        }
        let swapped = Picture(CFRAME_BGRA, 7, 3)
        swapped.take(pixels)
        #expect(swapped.bytes[0] == pixels[2] && swapped.bytes[2] == pixels[0])
    }

    @Test(arguments: formats) func aHiddenPictureIsGrey(_ format: cframe_format) {
        let picture = Picture(format, 6, 4)
        picture.take(noise(6, 4))
        cframe_fill(&picture.frame, 72)
        let pixels = picture.rgba
        #expect(pixels.enumerated().allSatisfy { $0.offset % 4 == 3 || abs(Int($0.element) - 72) <= 1 })
    }
}
