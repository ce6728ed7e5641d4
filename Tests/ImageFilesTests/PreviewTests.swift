import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// Metadata must not show the bare face (docs/decisions/0005).
@Suite struct PreviewTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The bytes of a PNG with these chunks, read and written again.
    private func rewritten(_ chunks: [(type: String, data: [UInt8])], as format: PictureFormat = .png) throws -> [UInt8]
    {
        var builder = PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]])
        builder.chunks = chunks
        let picture = try PictureReader.read(try folder.write(builder.bytes, "in.png"))
        let output = folder.path + "/out." + format.fileExtension
        try PictureWriter.write(picture, to: output, options: .init(format: format), replacing: true)
        return try bytes(of: output)
    }

    private func contains(_ file: [UInt8], _ text: String) -> Bool { file.firstRange(of: Array(text.utf8)) != nil }

    private func compressedXMP(_ packet: [UInt8]) -> (type: String, data: [UInt8]) {
        ("iTXt", Array("XML:com.adobe.xmp\0".utf8) + [1, 0, 0, 0] + PNGBuilder.zlib(packet))
    }

    /// As ImageMagick writes it.
    private func rawProfile(_ type: String, _ profile: [UInt8], compressed: Bool) -> (type: String, data: [UInt8]) {
        let digits = profile.map { String(format: "%02x", $0) }.joined()
        let lines = stride(from: 0, to: digits.count, by: 72).map { digits.dropFirst($0).prefix(72) }
        let text = Array("\n\(type)\n\(String(format: "%8d", profile.count))\n\(lines.joined(separator: "\n"))\n".utf8)
        let keyword = Array("Raw profile type \(type)\0".utf8)
        return compressed ? ("zTXt", keyword + [0] + PNGBuilder.zlib(text)) : ("tEXt", keyword + text)
    }

    @Test(arguments: ["xmp", "xap", "anything"]) func thumbnailsGoWhateverThePrefix(_ prefix: String) throws {
        let packet = XMPBuilder.packet(prefix: prefix, thumbnail: "bare face")
        let file = try rewritten([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)])
        #expect(contains(file, "kept title"))
        #expect(!contains(file, "bare face"))
        #expect(!contains(file, "Thumbnails"))
    }

    @Test func compressedXMPIsCleaned() throws {
        let packet = XMPBuilder.packet(attributes: "tiff:Orientation=\"6\"", thumbnail: "bare face")
        let file = try rewritten([compressedXMP(packet)])
        #expect(contains(file, "kept title"))
        #expect(contains(file, "tiff:Orientation=\"1\""))
        #expect(!contains(file, "bare face"), "what is written is not compressed")
        #expect(file.firstRange(of: compressedXMP(packet).data) == nil)
    }

    @Test func depthPicturesAndOtherPicturesAsTextGo() throws {
        let picture = String(repeating: "ABCDabcd01234+/=", count: 50)
        let file = try rewritten([
            compressedXMP(
                XMPBuilder.packet(attributes: "GDepth:Data=\"depth\" dc:source=\"data:image/jpeg;base64,\(picture)\"")),
            ("tEXt", Array("Preview\0\(picture)".utf8)),
            ("zTXt", Array("Preview\0\0".utf8) + PNGBuilder.zlib(Array(picture.utf8))),
            ("tEXt", Array("Software\0a painting program".utf8)),
        ])
        #expect(contains(file, "kept title"))
        #expect(contains(file, "a painting program"))
        #expect(!contains(file, "depth\""))
        #expect(!contains(file, "ABCDabcd"))
        #expect(!contains(file, "Preview"))
    }

    @Test(arguments: [false, true]) func rawProfilesAreDecoded(_ isCompressed: Bool) throws {
        let exif = Array("Exif\0\0".utf8) + ExifBuilder.block(orientation: 1, width: 9, height: 9)
        let iptc = IPTCBuilder.dataSet(120, "caption") + IPTCBuilder.dataSet(202, "bare face")
        let resources = IPTCBuilder.resource(0x04, iptc) + IPTCBuilder.resource(0x0C, Array("bare face".utf8))
        let chunks = [
            rawProfile("exif", exif, compressed: isCompressed),
            rawProfile("xmp", XMPBuilder.packet(thumbnail: "bare face"), compressed: isCompressed),
            rawProfile("iptc", resources, compressed: isCompressed),
        ]
        let file = try rewritten(chunks)
        #expect(contains(file, "eXIf"))
        #expect(contains(file, "kept title"))
        let hex = { (text: String) in text.utf8.map { String(format: "%02x", $0) }.joined() }
        #expect(contains(file, hex("caption")))
        for chunk in chunks { #expect(file.firstRange(of: chunk.data) == nil) }
        for text in ["bare face", hex("bare face")] { #expect(!contains(file, text)) }
        // A JPEG holds all three in markers of its own.
        let converted = try rewritten(chunks, as: .jpeg)
        for text in ["Exif\0\0II", "kept title", "Photoshop 3.0\u{0}8BIM", "caption"] {
            #expect(contains(converted, text))
        }
        #expect(!contains(converted, "bare face"))
    }

    /// As cameras store them in maker's notes: between data of another kind, cut off, with a thumbnail of its own.
    @Test func picturesAnywhereInExifGo() throws {
        var pixels = try PixelBuffer(width: 64, height: 48, format: .rgba8)
        pixels.fill(SIMD4(200, 90, 60, 255))
        let preview = try PictureWriter.encode(
            Picture(pixels: try pixels.copy()), options: .init(format: .jpeg), path: ""
        ).bytes()
        let nested = jpeg(preview, inserting: [(0xE1, Array("Exif\0\0".utf8) + preview)])
        let looksLikeOne: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 3, 4, 5]
        var block: [UInt8] = ExifBuilder.block(orientation: 6, width: 64, height: 48)
        block += Array("kept before".utf8) + preview
        block += Array("kept between".utf8) + looksLikeOne + nested
        block += Array("kept after".utf8) + preview.dropLast(40)
        // What follows the first marker and the JFIF header, of any of the four.
        let tables = preview[24..<120]
        for format in [PictureFormat.jpeg, .png] {
            var picture = Picture(pixels: try pixels.copy())
            picture.metadata.exif = block
            let written = try PictureWriter.encode(picture, options: .init(format: format), path: "").bytes()
            for text in ["kept before", "kept between", "kept after"] { #expect(contains(written, text), "\(format)") }
            #expect(written.firstRange(of: looksLikeOne) != nil)
            let starts = 0..<(written.count - tables.count)
            let count = starts.count { written[$0..<($0 + tables.count)].elementsEqual(tables) }
            #expect(count <= (format == .jpeg ? 1 : 0), "its own tables may be the same")
        }
    }

    @Test func textsThatCannotBeDecodedGo() throws {
        let deep = String(repeating: "<a>", count: 100_000) + "bare face" + String(repeating: "</a>", count: 100_000)
        let file = try rewritten([
            ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array("<x><y:z>bare face</y:z></x>".utf8)),
            ("iTXt", Array("Other\0\u{1}\0\0\0".utf8) + Array("bare face".utf8)),
            ("zTXt", Array("Comment\0\0bare face".utf8)),
            ("tEXt", Array("Raw profile type exif\0\nexif\n 99\n".utf8) + Array("bare face".utf8)),
            rawProfile("generic", Array("bare face".utf8), compressed: false),
            rawProfile("8bim", Array("8BIM bare face".utf8), compressed: false),
        ])
        #expect(!contains(file, "bare face"))
        #expect(!contains(file, "Raw profile"))
        #expect(!contains(try rewritten([compressedXMP(Array(deep.utf8))]), "bare face"))
    }

    /// A small chunk may inflate to gigabytes.
    @Test func textsHaveALimit() throws {
        let bomb = PNGBuilder.zlib([UInt8](repeating: 32, count: 17 << 20))
        let file = try rewritten([("zTXt", Array("Comment\0\0".utf8) + bomb)])
        #expect(!contains(file, "Comment"))
    }

    @Test func doctypesAreRefused() throws {
        let packet = "<!DOCTYPE x [<!ENTITY e \"bare face\">]><x>&e;</x>"
        #expect(!contains(try rewritten([compressedXMP(Array(packet.utf8))]), "bare face"))
    }
}
