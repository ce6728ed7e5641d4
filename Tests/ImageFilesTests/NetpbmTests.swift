import ImageFiles
import TestSupport
import Testing

@Suite struct NetpbmTests {
    private func read(_ header: String, _ bytes: [UInt8] = []) throws(PictureError) -> Picture {
        try PictureReader.read(Array(header.utf8) + bytes, path: "in.ppm")
    }

    @Test func text() throws {
        let bits = try read("P1\n# a comment # of two\n3 1 # width\n0 10\n")
        #expect(bits.pixels[0, 0] == SIMD4(255, 255, 255, 255) && bits.pixels[1, 0] == SIMD4(0, 0, 0, 255))
        #expect(bits.pixels[2, 0].x == 255)
        let grey = try read("P2 2 1 15\n15 5")
        let isColor = grey.isColor
        #expect(grey.pixels[0, 0].x == 255 && grey.pixels[1, 0] == SIMD4(85, 85, 85, 255) && !isColor)
        let color = try read("P3\r\n1\t1\r\n255\r\n1 2\n3\n")
        let (format, isGrey) = (color.format, !color.isColor)
        #expect(color.pixels[0, 0] == SIMD4(1, 2, 3, 255) && format == nil && !isGrey)
    }

    @Test func bytes() throws {
        let bits = try read("P4 10 2\n", [0xA5, 0x40, 0x5A, 0x80])
        #expect(bits.pixels[0, 0].x == 0 && bits.pixels[1, 0].x == 255 && bits.pixels[9, 0].x == 0)
        #expect(bits.pixels[0, 1].x == 255 && bits.pixels[8, 1].x == 0)
        // The first byte of the pixels may look like a space.
        #expect(try read("P5\n1 1\n100\n", [10]).pixels[0, 0].x == 26)
        #expect(try read("P6 2 1 255\n", [255, 0, 0, 1, 2, 3]).pixels[1, 0] == SIMD4(1, 2, 3, 255))
        let deep = try read("P6\n1 1\n65535\n", [1, 2, 3, 4, 255, 255])
        let format = deep.pixels.format
        #expect(deep.pixels[0, 0] == SIMD4(0x102, 0x304, 65_535, 65_535) && format == .rgba16)
        #expect(try read("P5\n1 1\n1000\n", [3, 0xE8]).pixels[0, 0].x == 65_535)
    }

    @Test(arguments: [
        "P2 2 1 255 1", "P2 2 1 15 16 3", "P2 2 1 0 1 1", "P2 1 1 65536 1", "P5 2 2 255\n123", "P3 1 1 255 1 2 ",
        "P1 2 1 0", "P1 2 1 0 2", "P6 1 1 255", "P2 -1 1 255 1", "P5 0 1 255\n", "P2 99999999999999999999 1 255 1",
        // The rest would be lost.
        "P5 1 1 255\naP5 1 1 255\na", "P2 1 1 9 5P2 1 1 9 5",
        // A few bytes allocate nothing.
        "P6 20000 20000 65535\n", "P1 20000 20000\n",
    ])
    func damageIsAnError(_ file: String) {
        #expect(throws: PictureError.self) { _ = try read(file) }
    }

    @Test func longHeadersEnd() {
        #expect(throws: PictureError.self) {
            _ = try read("P5 #", [UInt8](repeating: 65, count: 1 << 17) + Array("\n1 1 255\na".utf8))
        }
    }
}
