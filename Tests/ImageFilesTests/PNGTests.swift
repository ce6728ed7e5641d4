import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct PNGTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func greyStaysGrey() throws {
        let path = try folder.write(
            PNGBuilder(width: 3, height: 2, colorType: 0, rows: [[0, 100, 255], [7, 8, 9]]).bytes, "grey.png")
        let picture = try PictureReader.read(path)
        let (isColor, hasAlpha) = (picture.isColor, picture.hasAlpha)
        #expect(!isColor && !hasAlpha)
        #expect(picture.pixels[1, 0] == SIMD4(100, 100, 100, 255))
        let again = try rewritten(picture)
        let staysGrey = !again.isColor
        #expect(staysGrey)
        #expect(try PictureDifference(again.pixels, picture.pixels).largest == 0)
    }

    @Test(arguments: [1, 2, 4]) func smallDepthsAreExpanded(_ depth: UInt8) throws {
        // The first pixel is the largest value, the others are 0.
        let first = UInt8((1 << Int(depth)) - 1) << (8 - depth)
        let path = try folder.write(
            PNGBuilder(width: 2, height: 1, colorType: 0, bitDepth: depth, rows: [[first]]).bytes, "small.png")
        let picture = try PictureReader.read(path)
        #expect(picture.pixels[0, 0] == SIMD4(255, 255, 255, 255))
        #expect(picture.pixels[1, 0] == SIMD4(0, 0, 0, 255))
    }

    @Test func palettesKeepTheirColors() throws {
        var builder = PNGBuilder(width: 2, height: 1, colorType: 3, rows: [[1, 0]])
        builder.chunks = [("PLTE", [10, 20, 30, 200, 100, 50]), ("tRNS", [128])]
        let picture = try PictureReader.read(try folder.write(builder.bytes, "palette.png"))
        let (isColor, hasAlpha) = (picture.isColor, picture.hasAlpha)
        #expect(isColor && hasAlpha)
        #expect(picture.pixels[0, 0] == SIMD4(200, 100, 50, 255))
        #expect(picture.pixels[1, 0] == SIMD4(10, 20, 30, 128))
        #expect(try PictureDifference(rewritten(picture).pixels, picture.pixels).largest == 0)
    }

    @Test func sixteenBitsStaySixteen() throws {
        let row: [UInt8] = [0x12, 0x34, 0xFF, 0xFF, 0x00, 0x01, 0x80, 0x00]
        let path = try folder.write(
            PNGBuilder(width: 1, height: 1, colorType: 6, bitDepth: 16, rows: [row]).bytes, "deep.png")
        let picture = try PictureReader.read(path)
        #expect(picture.pixels.format == .rgba16)
        #expect(picture.pixels[0, 0] == SIMD4(0x1234, 0xFFFF, 0x0001, 0x8000))
        let again = try rewritten(picture)
        #expect(again.pixels.format == .rgba16 && again.pixels[0, 0] == picture.pixels[0, 0])
    }

    @Test func chunksAndProfileAreKept() throws {
        var builder = PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]])
        let text = Array("Comment\0drawn by hand".utf8)
        let xmp = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + XMPBuilder.packet(attributes: "tiff:Orientation=\"6\"")
        builder.chunks = [
            ("pHYs", PNGBuilder.big(3000) + PNGBuilder.big(3000) + [1]), ("tEXt", text), ("iTXt", xmp),
            ("eXIf", ExifBuilder.block(orientation: 1, width: 1, height: 1)),
        ]
        let picture = try PictureReader.read(try folder.write(builder.bytes, "chunks.png"))
        let output = folder.path + "/out.png"
        try PictureWriter.write(picture, to: output, options: .init(format: .png), replacing: false)
        let file = try bytes(of: output)
        #expect(file.firstRange(of: PNGBuilder.chunk("tEXt", text)) != nil)
        #expect(file.firstRange(of: builder.chunks[0].data) != nil)
        #expect(file.firstRange(of: Array("tiff:Orientation=\"1\"".utf8)) != nil)
        #expect(file.firstRange(of: Array("eXIf".utf8)) != nil)
        // Metadata goes along into the other format as well.
        let jpegPath = folder.path + "/out.jpg"
        try PictureWriter.write(picture, to: jpegPath, options: .init(format: .jpeg), replacing: false)
        let converted = try bytes(of: jpegPath)
        #expect(converted.firstRange(of: Array("http://ns.adobe.com/xap/1.0/\0<?xpacket".utf8)) != nil)
        #expect(converted.firstRange(of: Array("Exif\0\0II".utf8)) != nil)
    }

    /// libpng refuses to write some profiles that it reads; they go back to the byte.
    @Test func profilesOfPNGAreKeptToTheByte() throws {
        var builder = PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]])
        let chunk = Array("odd\0\0".utf8) + PNGBuilder.zlib(Array(repeating: 7, count: 300))
        builder.chunks = [("iCCP", chunk)]
        let picture = try PictureReader.read(try folder.write(builder.bytes, "odd.png"))
        let output = folder.path + "/odd out.png"
        try PictureWriter.write(picture, to: output, options: .init(format: .png), replacing: false)
        #expect(try bytes(of: output).firstRange(of: PNGBuilder.chunk("iCCP", chunk)) != nil)
    }

    @Test func orientationOfEXIFIsHonoured() throws {
        var builder = PNGBuilder(width: 2, height: 1, colorType: 0, rows: [[10, 20]])
        builder.chunks = [("eXIf", ExifBuilder.block(orientation: 6, width: 2, height: 1))]
        let picture = try PictureReader.read(try folder.write(builder.bytes, "turned.png"))
        #expect(picture.pixels.width == 1 && picture.pixels.height == 2)
        #expect(picture.pixels[0, 0].x == 10 && picture.pixels[0, 1].x == 20)
    }

    private func rewritten(_ picture: borrowing Picture) throws -> Picture {
        let path = folder.path + "/again.png"
        try PictureWriter.write(picture, to: path, options: .init(format: .png), replacing: true)
        return try PictureReader.read(path)
    }
}
