import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct WebPTests {
    /// A smooth picture with details, 64 × 48.
    private static func drawing(alpha: UInt8 = 255) throws -> Picture {
        var pixels = try PixelBuffer(width: 64, height: 48, format: .rgba8)
        for y in 0..<48 {
            pixels.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(4 * x), UInt8(5 * y), UInt8((x * y) % 251), alpha) }
            }
        }
        return Picture(pixels: pixels, hasAlpha: alpha != 255)
    }

    private static func file(_ picture: borrowing Picture, quality: Int? = nil) throws -> [UInt8] {
        try PictureWriter.encode(picture, options: .init(format: .webp, quality: quality), path: "out.webp").bytes()
    }

    private static func read(_ bytes: [UInt8]) throws(PictureError) -> Picture {
        try PictureReader.read(bytes, path: "in.webp")
    }

    /// The RIFF chunks of a file.
    private static func chunks(_ file: [UInt8]) -> [(type: String, data: [UInt8])] {
        var (chunks, position): ([(String, [UInt8])], Int) = ([], 12)
        while position + 8 <= file.count {
            let size = (0..<4).reduce(0) { $0 | Int(file[position + 4 + $1]) << (8 * $1) }
            let type = String(decoding: file[position..<(position + 4)], as: UTF8.self)
            chunks.append((type, Array(file[(position + 8)..<(position + 8 + size)])))
            position += 8 + size + size % 2
        }
        return chunks
    }

    private static func file(_ chunks: [(type: String, data: [UInt8])]) -> [UInt8] {
        let body = chunks.flatMap { chunk -> [UInt8] in
            let size = (0..<4).map { UInt8(truncatingIfNeeded: chunk.data.count >> (8 * $0)) }
            return Array(chunk.type.utf8) + size + chunk.data + (chunk.data.count % 2 == 1 ? [0] : [])
        }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: (body.count + 4) >> (8 * $0)) }
        return Array("RIFF".utf8) + size + Array("WEBP".utf8) + body
    }

    /// A header for 64 × 48 pixels.
    private static func header(_ flags: UInt8) -> (type: String, data: [UInt8]) {
        ("VP8X", [flags, 0, 0, 0, 63, 0, 0, 47, 0, 0])
    }

    @Test(arguments: [255, 128, 0] as [UInt8]) func losslessStaysLossless(_ alpha: UInt8) throws {
        let picture = try Self.drawing(alpha: alpha)
        let file = try Self.file(picture)
        #expect(Self.chunks(file).map(\.type) == ["VP8L"])
        let again = try Self.read(file)
        // Also under transparent pixels.
        #expect(try PictureDifference(again.pixels, picture.pixels).largest == 0)
        let hasAlpha = again.hasAlpha
        #expect(hasAlpha == (alpha != 255))
        #expect(try Self.chunks(Self.file(again)).map(\.type) == ["VP8L"])
    }

    @Test(arguments: [20, 50, 75, 90, 100]) func lossyKeepsItsQuality(_ quality: Int) throws {
        let first = try Self.file(try Self.drawing(), quality: quality)
        let second = try Self.file(try Self.read(first))
        #expect(Self.chunks(second).map(\.type) == ["VP8 "])
        // Much the same size, as the same quantiser is used; not that of the default quality.
        let ratio = Double(second.count) / Double(first.count)
        #expect(ratio > 0.85 && ratio < 1.2, "\(quality): \(first.count), then \(second.count) bytes")
    }

    @Test func transparencyOfLossyPictures() throws {
        let again = try Self.read(try Self.file(try Self.drawing(alpha: 77), quality: 60))
        let hasAlpha = again.hasAlpha
        #expect(hasAlpha && again.pixels[20, 20].w == 77)
    }

    @Test func metadataIsKeptAndMadeTrue() throws {
        let bare = Self.chunks(try Self.file(try Self.drawing()))
        let exif = ExifBuilder.block(orientation: 6, width: 64, height: 48)
        for prefix in [[], Array("Exif\0\0".utf8)] {
            let whole = Self.file(
                [Self.header(0x2C), ("ICCP", ICCBuilder.profile())] + bare + [
                    ("EXIF", prefix + exif), ("XMP ", XMPBuilder.packet(thumbnail: "bareface")),
                    ("ODD ", Array("bare face".utf8)),
                ])
            let picture = try Self.read(whole)
            #expect(picture.pixels.width == 48 && picture.pixels.height == 64)
            let result = try Self.file(picture)
            #expect(Self.chunks(result).map(\.type) == ["VP8X", "ICCP", "VP8L", "EXIF", "XMP "])
            #expect(result.contains(Array("kept title".utf8)))
            for gone in ["bareface", "bare face"] { #expect(!result.contains(Array(gone.utf8)), "\(gone)") }
            let again = try Self.read(result)
            #expect(again.pixels.width == 48 && again.metadata.iccProfile == ICCBuilder.profile())
            #expect(try PictureDifference(again.pixels, picture.pixels).largest == 0)
        }
    }

    @Test func animationsAreNotFlattened() throws {
        let bare = Self.chunks(try Self.file(try Self.drawing()))
        let frame = [UInt8](repeating: 0, count: 6) + [63, 0, 0, 47, 0, 0, 100, 0, 0, 0]
        let data = frame + Array(Self.file(bare).dropFirst(12))
        let file = Self.file([Self.header(0x02), ("ANIM", [0, 0, 0, 0, 0, 0]), ("ANMF", data), ("ANMF", data)])
        #expect(throws: PictureError(.unsupported, path: "in.webp", Self.animated)) { _ = try Self.read(file) }
    }

    private static let animated = "is an animated WebP; only its first picture would remain"

    @Test func damageIsAnError() throws {
        for quality in [nil, 70] {
            let file = try Self.file(try Self.drawing(), quality: quality)
            for count in stride(from: 16, to: file.count, by: 101) {
                #expect(throws: PictureError.self) { _ = try Self.read(Array(file[..<count])) }
            }
        }
    }

    /// The canvas may be anything; the picture's own size counts.
    @Test func headersThatLie() throws {
        let bare = Self.chunks(try Self.file(try Self.drawing()))
        let large = ("VP8X", [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] as [UInt8])
        #expect(throws: PictureError.self) { _ = try Self.read(Self.file([large] + bare)) }
    }

    @Test func tooLargeForAWebP() throws {
        let picture = Picture(pixels: try PixelBuffer(width: 16_384, height: 1, format: .rgba8))
        #expect(throws: PictureError.self) { _ = try Self.file(picture) }
    }

    @Test func sixteenBitsBecomeEight() throws {
        var pixels = try PixelBuffer(width: 2, height: 1, format: .rgba16)
        pixels.withUnsafeMutableBytes {
            $0.storeBytes(of: SIMD4<UInt16>(257 * 9, 257 * 8, 257 * 7, 65535), as: SIMD4<UInt16>.self)
        }
        let again = try Self.read(try Self.file(Picture(pixels: pixels)))
        #expect(again.pixels[0, 0] == SIMD4(9, 8, 7, 255))
    }
}
