import ImageFiles
import PictureBuilders

/// Metadata of photographs: EXIF, XMP, a colour profile, IPTC in Photoshop's resources. The first byte says which; the
/// rest is put into a JPEG and a PNG.
enum MetadataTarget: FuzzTarget {
    static let name = "metadata"
    static let longest = 4096

    private static let segments: [(code: UInt8, prefix: [UInt8])] = [
        (0xE1, Array("Exif\0\0".utf8)), (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8)),
        (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1]), (0xED, Array("Photoshop 3.0\0".utf8)), (0xFE, []),
    ]
    private static let chunks: [(type: String, prefix: [UInt8])] = [
        ("eXIf", []), ("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]), ("iCCP", Array("icc\0\0".utf8)),
        ("tEXt", Array("Raw profile type 8bim\0".utf8)), ("tEXt", Array("Raw profile type exif\0".utf8)),
    ]
    private static let jpeg = WholePictures.tinyJPEG()
    private static let png = PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]]).bytes

    static func seeds() -> [[UInt8]] {
        let exif = ExifBuilder.block(orientation: 6, width: 112, height: 80)
        let resources = IPTCBuilder.resource(4, IPTCBuilder.dataSet(5, "title") + IPTCBuilder.dataSet(200, "preview"))
        let digits = "\n8bim\n4\n1c020500\n"
        return [
            [0] + exif, [1] + XMPBuilder.packet(thumbnail: "AAAA"), [2] + ICCBuilder.profile(),
            [2] + PNGBuilder.zlib(ICCBuilder.profile()), [3] + resources, [3] + Array(digits.utf8),
            [4] + Array("text".utf8),
        ]
    }

    static func read(_ bytes: [UInt8]) {
        guard let kind = bytes.first else { return }
        let content = Array(bytes.dropFirst())
        let segment = segments[Int(kind) % segments.count]
        PictureRoundTrip.run(PictureBuilders.jpeg(jpeg, inserting: [(segment.code, segment.prefix + content)]))
        let chunk = chunks[Int(kind) % chunks.count]
        PictureRoundTrip.run(png[..<33] + PNGBuilder.chunk(chunk.type, chunk.prefix + content) + png[33...])
    }
}
