import ImageFiles
import TestSupport
import Testing

@Suite struct BMPTests {
    private func read(_ builder: BMPBuilder) throws(PictureError) -> Picture {
        try PictureReader.read(builder.bytes, path: "in.bmp")
    }

    @Test(arguments: [1, 4, 8]) func palettes(_ bits: Int) throws {
        for headerSize in [12, 40, 124] {
            var builder = BMPBuilder(width: 13, height: 9, bits: bits)
            builder.headerSize = headerSize
            let picture = try read(builder)
            for y in 0..<9 {
                for x in 0..<13 {
                    let index = UInt16(builder.value(x, y))
                    #expect(
                        picture.pixels[x, y] == SIMD4(index, 255 - index, index / 2, 255), "\(headerSize): \(x), \(y)")
                }
            }
            let (format, hasAlpha) = (picture.format, picture.hasAlpha)
            #expect(format == nil && !hasAlpha)
        }
    }

    /// The unused byte of 32 bits is no alpha.
    @Test(arguments: [
        (16, 0x7C1F, SIMD4<UInt16>(255, 0, 255, 255)), (24, 0x01_0203, SIMD4(1, 2, 3, 255)),
        (32, 0x0001_0203, SIMD4(1, 2, 3, 255)),
    ])
    func colors(_ bits: Int, _ stored: Int, _ color: SIMD4<UInt16>) throws {
        for height in [2, -2] {
            let builder = BMPBuilder(width: 3, height: height, bits: bits) { x, y in (x, y) == (1, 0) ? stored : 0 }
            let picture = try read(builder)
            let (height, hasAlpha) = (picture.pixels.height, picture.hasAlpha)
            #expect(picture.pixels[1, 0] == color && picture.pixels[1, 1] == SIMD4(0, 0, 0, 255))
            #expect(height == 2 && !hasAlpha)
        }
    }

    @Test func masksAlphaAndProfile() throws {
        var builder = BMPBuilder(width: 2, height: 1, bits: 16) { _, _ in 0b11111_101010_00001 }
        builder.masks = [0xF800, 0x7E0, 0x1F]
        #expect(try read(builder).pixels[0, 0] == SIMD4(255, 170, 8, 255))
        builder = BMPBuilder(width: 2, height: 1, bits: 32) { _, _ in 0x40_010203 }
        (builder.headerSize, builder.masks) = (124, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000])
        builder.profile = ICCBuilder.profile()
        let picture = try read(builder)
        let hasAlpha = picture.hasAlpha
        #expect(hasAlpha && picture.pixels[1, 0] == SIMD4(3, 2, 1, 0x40))
        #expect(picture.metadata.iccProfile == ICCBuilder.profile())
    }

    @Test func damageIsAnError() throws {
        let file = BMPBuilder(width: 20, height: 10, bits: 8).bytes
        for count in stride(from: 2, to: file.count, by: 37) {
            #expect(throws: PictureError.self) { _ = try PictureReader.read(Array(file[..<count]), path: "cut.bmp") }
        }
        // Claimed sizes allocate nothing.
        for (width, height) in [(60_000, 60_000), (1, Int(Int32.min)), (0x7FFF_FFFF, 0x7FFF_FFFF), (0, 1), (-1, 1)] {
            var huge = file
            for (place, number) in [(18, width), (22, height)] {
                for index in 0..<4 { huge[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            }
            #expect(throws: PictureError.self) { _ = try PictureReader.read(huge, path: "huge.bmp") }
        }
        var broken = BMPBuilder(width: 2, height: 1, bits: 32) { _, _ in 0 }
        broken.masks = [0xF0F, 0xFF00, 0xFF_0000]
        #expect(throws: PictureError.self) { _ = try read(broken) }
        var compressed = BMPBuilder(width: 4, height: 4, bits: 8)
        compressed.compression = 1
        #expect(
            throws: PictureError(
                .unsupported, path: "in.bmp", "is a compressed BMP; convert it to JPEG or PNG first")
        ) { _ = try read(compressed) }
    }
}
