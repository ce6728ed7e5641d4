import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct JPEGTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG of a smooth picture.
    private func file(quality: Int = 90, segments: [(code: UInt8, data: [UInt8])] = []) throws -> [UInt8] {
        let path = folder.path + "/source.jpg"
        var pixels = try PixelBuffer(width: 96, height: 64, format: .rgba8)
        for y in 0..<64 {
            pixels.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(2 * x), UInt8(3 * y), UInt8(x + y), 255) }
            }
        }
        try PictureWriter.write(
            Picture(pixels: pixels), to: path, options: .init(format: .jpeg, quality: quality), replacing: true)
        return jpeg(try bytes(of: path), inserting: segments)
    }

    @Test(arguments: 1...8) func orientationIsHonouredAndSetRight(_ value: Int) throws {
        let orientation = try #require(Orientation(rawValue: value))
        let exif = Array("Exif\0\0".utf8) + ExifBuilder.block(orientation: UInt16(value), width: 96, height: 64)
        let stored = try PictureReader.read(try folder.write(try file(), "plain.jpg"))
        let path = try folder.write(try file(segments: [(0xE1, exif)]), "turned.jpg")
        let picture = try PictureReader.read(path)
        #expect(picture.pixels.width == (orientation.swapsAxes ? 64 : 96))
        let expected = try stored.pixels.copy().turnedUpright(from: orientation)
        #expect(try PictureDifference(picture.pixels, expected).largest == 0)

        let output = folder.path + "/out.jpg"
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg), replacing: true)
        let again = try PictureReader.read(output)
        #expect(again.pixels.width == picture.pixels.width, "turned twice")
        let exif2 = again.metadata.exif
        let kept = try #require(exif2)
        #expect(kept[18] == 1)
        #expect(Int(kept[8 + 30 + 10]) == picture.pixels.width, "the size of EXIF is that of the upright picture")
        #expect(kept.firstRange(of: Array("bare face".utf8)) == nil, "the thumbnail shows the face without its mask")
    }

    @Test func profileIsKeptToTheByteAcrossMarkers() throws {
        let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let parts = [profile[..<65_000], profile[65_000..<130_000], profile[130_000...]]
        let segments = parts.enumerated().map { index, part in
            (code: UInt8(0xE2), data: Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 3] + part)
        }
        // In any order.
        let picture = try PictureReader.read(try folder.write(try file(segments: segments.reversed()), "icc.jpg"))
        let read = picture.metadata.iccProfile
        #expect(read == profile)
        let output = folder.path + "/out.jpg"
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg), replacing: false)
        let kept = try PictureReader.read(output).metadata.iccProfile
        #expect(kept == profile)
    }

    /// Parts are numbered by one byte; a BMP or another JPEG may bring a profile that needs more.
    @Test func aProfileOfTooManyPartsIsNotWritten() throws {
        var picture = try PictureReader.read(Repository.root + "/samples/ada.jpg")
        picture.metadata.iccProfile = [UInt8](repeating: 7, count: 17_000_000)
        let output = folder.path + "/large.jpg"
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg), replacing: false)
        let kept = try PictureReader.read(output).metadata.iccProfile
        #expect(kept == nil)
    }

    @Test func commentAndCaptionAreKeptPreviewsAreNot() throws {
        let photoshop =
            Array("Photoshop 3.0\0".utf8) + IPTCBuilder.resource(0x04, IPTCBuilder.dataSet(120, "caption"))
            + IPTCBuilder.resource(0x0C, Array("bare face".utf8))
        let segments: [(code: UInt8, data: [UInt8])] = [
            (0xFE, Array("a comment".utf8)), (0xED, photoshop), (0xE2, Array("MPF\0preview".utf8)),
            (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMPBuilder.packet(thumbnail: "bare face")),
            (0xE1, Array("http://ns.adobe.com/xmp/extension/\0extended".utf8)),
        ]
        let picture = try PictureReader.read(try folder.write(try file(segments: segments), "in.jpg"))
        let output = folder.path + "/out.jpg"
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg), replacing: false)
        let written = try bytes(of: output)
        for kept in ["a comment", "caption", "kept title"] {
            #expect(written.firstRange(of: Array(kept.utf8)) != nil, "\(kept)")
        }
        for dropped in ["bare face", "preview", "extended"] {
            #expect(written.firstRange(of: Array(dropped.utf8)) == nil, "\(dropped)")
        }
    }

    /// Without a wish for quality the tables of the input are used again: hardly anything is lost a second time.
    @Test(arguments: [35, 75, 98]) func compressionIsThatOfTheInput(_ quality: Int) throws {
        let source = try file(quality: quality)
        let picture = try PictureReader.read(try folder.write(source, "in.jpg"))
        let output = folder.path + "/out.jpg"
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg), replacing: true)
        #expect(quantisationTables(try bytes(of: output)) == quantisationTables(source))
        let again = try PictureReader.read(output)
        #expect(try PictureDifference(again.pixels, picture.pixels).share(above: 2) < 0.01)
        try PictureWriter.write(picture, to: output, options: .init(format: .jpeg, quality: 60), replacing: true)
        #expect(quantisationTables(try bytes(of: output)) != quantisationTables(source))
    }

    private func quantisationTables(_ file: [UInt8]) -> [[UInt8]] {
        var tables: [[UInt8]] = []
        var position = 2
        while position + 4 < file.count, file[position] == 0xFF, file[position + 1] != 0xDA {
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            if file[position + 1] == 0xDB { tables.append(Array(file[(position + 4)..<(position + 2 + length)])) }
            position += 2 + length
        }
        return tables.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func greyStaysGrey() throws {
        var pixels = try PixelBuffer(width: 40, height: 40, format: .rgba8)
        for y in 0..<40 {
            pixels.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(6 * x), UInt8(6 * x), UInt8(6 * x), 255) }
            }
        }
        let path = folder.path + "/grey.jpg"
        try PictureWriter.write(
            Picture(pixels: pixels, isColor: false), to: path, options: .init(format: .jpeg), replacing: false)
        let picture = try PictureReader.read(path)
        let isColor = picture.isColor
        #expect(!isColor)
        #expect(picture.pixels[20, 20].x == picture.pixels[20, 20].z)
    }

    /// With and without Adobe's marker, which inverts what is stored.
    @Test(arguments: [false, true]) func cmykBecomesSRGB(_ isAdobes: Bool) throws {
        var builder = CMYKJPEGBuilder(blocks: [
            SIMD4(0, 0, 0, 0), SIMD4(255, 0, 0, 0), SIMD4(0, 0, 0, 255), SIMD4(0, 128, 0, 128),
        ])
        builder.isAdobes = isAdobes
        let plain = try PictureReader.read(builder.bytes, path: "in.jpg")
        let colors = (0..<4).map { plain.pixels[8 * $0 + 4, 4] }
        let multiplied = [
            SIMD4<UInt16>(255, 255, 255, 255), SIMD4(0, 255, 255, 255), SIMD4(0, 0, 0, 255), SIMD4(127, 63, 127, 255),
        ]
        #expect(colors == multiplied, "\(colors)")
        builder.profile = ICCBuilder.cmykProfile()
        let picture = try PictureReader.read(builder.bytes, path: "in.jpg")
        let cyan = picture.pixels[12, 4]
        #expect((0..<3).allSatisfy { abs(Int(cyan[$0]) - 119) < 4 } && cyan.w == 255, "\(cyan)")
        #expect(picture.pixels[4, 4].x > 250 && picture.pixels[20, 4].x < 8)
        let (format, hasProfile) = (picture.format, picture.metadata.iccProfile != nil)
        #expect(format == .jpeg && !hasProfile)
        // The result is an ordinary JPEG.
        let file = try PictureWriter.encode(picture, options: .init(format: .jpeg), path: "out.jpg").bytes()
        let again = try PictureReader.read(file, path: "out.jpg")
        #expect(try PictureDifference(again.pixels, picture.pixels).largest < 12)
        // A profile for RGB counts as none.
        builder.profile = ICCBuilder.profile()
        #expect(try PictureReader.read(builder.bytes, path: "in.jpg").pixels[12, 4] == multiplied[1])
    }
}
