import CCodecs
import Pixels

extension PictureReader {
    static func readPNG(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        let chunks = try PNGChunks(bytes, path: path)
        guard !chunks.isAnimated else {
            throw PictureError(
                .unsupported, path: path,
                "is an animated PNG; only its first picture would be left of it")
        }
        // libpng takes the size from the header on trust, so it is checked before libpng sees it.
        try checkSize(width: chunks.width, height: chunks.height, maximumSide: maximumSide, path: path)
        var info = ccodecs_png_info()
        var error = ccodecs_error()
        let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let reader = ccodecs_png_open(data, bytes.count, &info, &error) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: \(error.text)")
        }
        defer { ccodecs_png_close(reader) }
        var metadata = chunks.metadata
        var profileSize = 0
        if let profile = ccodecs_png_icc_profile(reader, &profileSize) {
            metadata.iccProfile = Array(UnsafeBufferPointer(start: profile, count: profileSize))
        }
        let stored = try decodedPixels(
            width: Int(info.width), height: Int(info.height),
            format: info.bits_per_component == 16 ? .rgba16 : .rgba8, path: path,
            decode: { ccodecs_png_read(reader, $0, $1, &error) }, reason: { error.text })
        var picture = Picture(
            pixels: try upright(stored, metadata: metadata, path: path), isColor: info.is_color,
            hasAlpha: info.has_alpha)
        picture.format = .png
        picture.metadata = metadata
        return picture
    }
}

/// The chunks of a PNG file (ISO/IEC 15948) that matter beside the picture itself.
struct PNGChunks {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var isAnimated = false
    private(set) var metadata = PictureMetadata()

    static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)
    /// Kept as they are: they stay true when faces are masked and a palette becomes colours.
    private static let kept: Set<String> = [
        "iCCP", "sRGB", "gAMA", "cHRM", "cICP", "pHYs", "tIME", "tEXt", "zTXt", "iTXt",
    ]

    init(_ bytes: UnsafeRawBufferPointer, path: String) throws(PictureError) {
        var position = 8
        while position + 12 <= bytes.count {
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            guard position + 12 + length <= bytes.count else { break }  // libpng says what is wrong
            let data = bytes[(position + 8)..<(position + 8 + length)]
            note(type, UnsafeRawBufferPointer(rebasing: data))
            if type == "IEND" { break }
            position += 12 + length
        }
        guard width > 0 && height > 0 else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: it has no valid header")
        }
    }

    private mutating func note(_ type: String, _ data: UnsafeRawBufferPointer) {
        switch type {
        case "IHDR" where data.count == 13 && width == 0:
            width = Int(UInt32(bigEndian: data.loadUnaligned(as: UInt32.self)))
            height = Int(UInt32(bigEndian: data.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case "acTL":
            isAnimated = true
        case "eXIf":
            metadata.exif = Array(data)
        case "iTXt" where data.starts(with: Self.xmpKeyword) && data.count >= Self.xmpKeyword.count + 4:
            // Keyword, compression flag and method, language, translated keyword, text. Compressed XMP is kept as it
            // is.
            let body = data.dropFirst(Self.xmpKeyword.count)
            let isCompressed = body[body.startIndex] != 0
            let parts = body.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            if !isCompressed, parts.count == 3 {
                metadata.xmp = Array(parts[2])
            } else {
                metadata.pngChunks.append(PNGChunk(type: type, data: Array(data)))
            }
        case let type where Self.kept.contains(type):
            metadata.pngChunks.append(PNGChunk(type: type, data: Array(data)))
        default:
            break
        }
    }
}
