import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct GIFTests {
    private func read(_ builder: GIFBuilder) throws(PictureError) -> Picture {
        try PictureReader.read(builder.bytes, path: "in.gif")
    }

    /// Enough indices for codes of 12 bits, and for a new start of the codes.
    @Test(arguments: [2, 4, 8]) func allIndices(_ bits: Int) throws {
        for isInterlaced in [false, true] {
            var numbers = SeededNumbers(seed: bits)
            let noise = (0..<20_000).map { _ in numbers.below(1 << bits) }
            var builder = GIFBuilder(width: 200, height: 100, bits: bits) { x, y in
                y < 80 ? noise[200 * y + x] : (x / 7) % (1 << bits)
            }
            builder.images[0].isInterlaced = isInterlaced
            let picture = try read(builder)
            var wrong = 0
            for y in 0..<100 {
                for x in 0..<200 {
                    let index = UInt16(builder.images[0].value(x, y))
                    if picture.pixels[x, y] != SIMD4(index, 255 - index, index / 2, 255) { wrong += 1 }
                }
            }
            let (hasAlpha, format) = (picture.hasAlpha, picture.format)
            #expect(wrong == 0 && !hasAlpha && format == nil)
        }
    }

    @Test func transparencyAndImagesThatDoNotFill() throws {
        var builder = GIFBuilder(width: 10, height: 10) { x, _ in x }
        builder.images[0].transparent = 3
        builder.images[0].width = 5
        builder.images[0].left = 2
        let picture = try read(builder)
        let hasAlpha = picture.hasAlpha
        #expect(hasAlpha && picture.pixels[2 + 3, 0].w == 0 && picture.pixels[0, 0].w == 0)
        #expect(picture.pixels[2 + 4, 9] == SIMD4(4, 251, 2, 255))
        // The result is a PNG, with every colour that a mask needs.
        let file = try PictureWriter.encode(picture, options: .init(format: .png), path: "out.png").bytes()
        let again = try PictureReader.read(file, path: "out.png")
        #expect(try PictureDifference(again.pixels, picture.pixels).largest == 0)
    }

    @Test func commentsAndProfilesAreKept() throws {
        var builder = GIFBuilder(width: 4, height: 4) { _, _ in 1 }
        let profile = ICCBuilder.profile()
        let parts = stride(from: 0, to: profile.count, by: 255).map {
            Array(profile[$0..<min(profile.count, $0 + 255)])
        }
        builder.extensions = [
            (0xFE, [Array("a kept comment".utf8)]), (0xFF, [Array("ICCRGBG1012".utf8)] + parts),
            (
                0xFE,
                [[UInt8](repeating: 65, count: 255), [UInt8](repeating: 65, count: 255), [65, 65, 65, 65, 65, 65]]
            ),
        ]
        let picture = try read(builder)
        #expect(picture.metadata.iccProfile == profile)
        let file = try PictureWriter.encode(picture, options: .init(format: .png), path: "out.png").bytes()
        #expect(file.contains(Array("a kept comment".utf8)))
        #expect(!file.contains([UInt8](repeating: 65, count: 300)))
    }

    @Test func animationsBelongToVideo() throws {
        var builder = GIFBuilder(width: 4, height: 4) { _, _ in 1 }
        builder.images += builder.images
        #expect(throws: PictureError(.video, path: "in.gif", "is an animated GIF of 2 pictures, not a still one")) {
            _ = try PictureReader.read(builder.bytes, path: "in.gif")
        }
    }

    /// Also one whose images are larger than its canvas: the first of them would be taken for a still picture.
    @Test func animationsBeyondTheCanvas() throws {
        var builder = GIFBuilder(width: 4, height: 4) { _, _ in 1 }
        builder.images += GIFBuilder(width: 9, height: 9) { _, _ in 2 }.images
        for images in [builder.images, builder.images.reversed(), [builder.images[1], builder.images[1]]] {
            builder.images = images
            #expect(throws: PictureError(.video, path: "in.gif", "is an animated GIF of 2 pictures, not a still one")) {
                _ = try PictureReader.read(builder.bytes, path: "in.gif")
            }
        }
    }

    /// Memory is granted by the canvas.
    @Test func imagesStayOnTheirCanvas() throws {
        var builder = GIFBuilder(width: 10, height: 10) { x, _ in x }
        (builder.width, builder.height) = (9, 9)
        #expect(throws: PictureError.self) { _ = try PictureReader.read(builder.bytes, path: "in.gif") }
    }

    @Test func damageIsAnError() throws {
        let file = GIFBuilder(width: 64, height: 64) { x, y in (x * y) % 251 }.bytes
        for count in stride(from: 0, to: file.count - 2, by: 89) {
            #expect(throws: PictureError.self) { _ = try PictureReader.read(Array(file[..<count]), path: "cut.gif") }
        }
        var huge = GIFBuilder(width: 1, height: 1) { _, _ in 0 }
        (huge.width, huge.height) = (65_535, 65_535)
        #expect(throws: PictureError.self) { _ = try PictureReader.read(huge.bytes, path: "huge.gif") }
    }
}
