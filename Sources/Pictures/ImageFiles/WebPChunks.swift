import Files

/// The chunks of a WebP file (RFC 9649, section 2): a RIFF file of the type "WEBP".
struct WebPChunks<Source: ByteSource> {
    struct Chunk: Equatable {
        /// Four characters, some of them spaces.
        let type: String
        /// Where the data lies.
        let data: Range<Int>
    }

    var source: Source
    private var position = 12

    init(_ source: Source) { self.source = source }

    /// - Returns: nil at the end, and where the file is cut off.
    mutating func next() -> Chunk? {
        guard let size = source.little32(at: position + 4) else { return nil }
        let start = position + 8
        let type = String(decoding: (0..<4).compactMap { source.byte(at: position + $0) }, as: UTF8.self)
        guard size == 0 || source.byte(at: start + size - 1) != nil else { return nil }
        position = start + size + size % 2
        return Chunk(type: type, data: start..<(start + size))
    }

    /// The size in pixels that the first chunk states.
    /// - Returns: also whether it is known to be lossy.
    func pictureSize() -> (width: Int, height: Int, isLossy: Bool)? {
        // The first chunk need not be complete: nothing else of it is read.
        let type = String(decoding: (12..<16).compactMap { source.byte(at: $0) }, as: UTF8.self)
        switch type {
        case "VP8X":
            guard let width = source.little24(at: 24), let height = source.little24(at: 27) else { return nil }
            return (width + 1, height + 1, false)
        case "VP8L":
            guard let bits = source.little32(at: 21) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, false)
        case "VP8 ":
            guard let width = source.little16(at: 26), let height = source.little16(at: 28) else { return nil }
            return (width & 0x3FFF, height & 0x3FFF, true)
        default:
            return nil
        }
    }
}

/// The data that Bauta takes from the chunks of a WebP file besides the picture.
struct WebPContents {
    private(set) var metadata = PictureMetadata()
    /// The quality, 1…100, that a lossy picture was compressed with by libwebp, estimated; nil: lossless, or unknown.
    private(set) var quality: Int?

    /// In bytes: larger chunks of metadata are dropped. Profiles and EXIF blocks have up to a few megabytes.
    private static let largestChunk = 16 << 20

    init(_ bytes: UnsafeRawBufferPointer) {
        var chunks = WebPChunks(bytes)
        while let chunk = chunks.next() {
            let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
            switch chunk.type {
            case "VP8 " where quality == nil: quality = VP8Quality.estimate(data)
            case _ where data.count > Self.largestChunk: break
            case "ICCP" where metadata.iccProfile == nil: metadata.iccProfile = Array(data)
            case "EXIF" where metadata.exif == nil:
                // Some programs write the prefix that JPEG needs.
                let prefix = JPEGMetadata.exifPrefix
                metadata.exif = Array(data.starts(with: prefix) ? data.dropFirst(prefix.count) : data[...])
            case "XMP " where metadata.xmp == nil: metadata.xmp = Array(data)
            default: break
            }
        }
    }
}

/// Writes the container of a WebP file.
enum WebPContainer {
    private enum Flag {
        static let profile: UInt8 = 0x20
        static let alpha: UInt8 = 0x10
        static let exif: UInt8 = 0x08
        static let xmp: UInt8 = 0x04
    }

    /// The file that libwebp has written, with metadata.
    /// - Parameter picture: a complete WebP file of `width` × `height` pixels.
    static func file(
        _ picture: UnsafeRawBufferPointer, width: Int, height: Int, hasAlpha: Bool, metadata: PictureMetadata
    ) -> [UInt8] {
        var (flags, body): (UInt8, [UInt8]) = (hasAlpha ? Flag.alpha : 0, [])
        if let profile = metadata.iccProfile {
            flags |= Flag.profile
            body += chunk("ICCP", profile)
        }
        var chunks = WebPChunks(picture)
        while let found = chunks.next() {
            if found.type != "VP8X" { body += chunk(found.type, picture[found.data]) }
        }
        if let exif = metadata.exif {
            flags |= Flag.exif
            body += chunk("EXIF", exif)
        }
        if let xmp = metadata.xmp {
            flags |= Flag.xmp
            body += chunk("XMP ", xmp)
        }
        guard flags & ~Flag.alpha != 0 else { return Array(picture) }
        let header = [flags, 0, 0, 0] + little(width - 1).prefix(3) + little(height - 1).prefix(3)
        body = chunk("VP8X", header) + body
        return Array("RIFF".utf8) + little(4 + body.count) + Array("WEBP".utf8) + body
    }

    private static func chunk(_ type: String, _ data: some Collection<UInt8>) -> [UInt8] {
        Array(type.utf8) + little(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
