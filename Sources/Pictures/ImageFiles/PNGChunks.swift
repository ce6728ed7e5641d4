/// The chunks of a PNG file (ISO/IEC 15948) that matter beside the picture itself.
struct PNGChunks {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var isAnimated = false
    private(set) var metadata = PictureMetadata()
    /// EXIF from a text; an `eXIf` chunk takes precedence over it.
    private var exifOfText: [UInt8]?

    /// How many bytes the texts that follow may have together, decompressed: small files could hold gigabytes of them.
    private var textBudget = 16 << 20
    /// How many texts may follow: each costs time, however short it is, and even if it cannot be read.
    private var textCountBudget = 4096

    /// Chunks that stay true when faces are masked and a palette becomes colours. A file has one of each.
    private static let kept: Set<String> = ["iCCP", "sRGB", "gAMA", "cHRM", "cICP", "pHYs", "tIME"]
    private var missing = kept
    /// In bytes: larger chunks of metadata are dropped. Profiles and EXIF blocks have up to a few megabytes.
    private static let largestChunk = 16 << 20

    init(_ bytes: UnsafeRawBufferPointer, path: String) throws(PictureError) {
        var position = 8
        while position + 12 <= bytes.count {
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            guard position + 12 + length <= bytes.count else { break }  // libpng reports what is wrong
            let data = bytes[(position + 8)..<(position + 8 + length)]
            note(type, UnsafeRawBufferPointer(rebasing: data))
            if type == "IEND" { break }
            position += 12 + length
        }
        guard width > 0 && height > 0 else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: it has no valid header")
        }
        if metadata.exif == nil { metadata.exif = exifOfText }
    }

    private mutating func note(_ type: String, _ data: UnsafeRawBufferPointer) {
        switch type {
        case "IHDR" where data.count == 13 && width == 0:
            width = Int(UInt32(bigEndian: data.loadUnaligned(as: UInt32.self)))
            height = Int(UInt32(bigEndian: data.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case "acTL":
            isAnimated = true
        case _ where data.count > Self.largestChunk:
            break
        case "eXIf" where metadata.exif == nil:
            metadata.exif = Array(data)
        case "tEXt", "zTXt", "iTXt":
            note(PNGChunk(type: type, data: Array(data)))
        case let type where missing.contains(type):
            missing.remove(type)
            metadata.pngChunks.append(PNGChunk(type: type, data: Array(data)))
        default:
            break
        }
    }

    /// Texts that cannot be decoded are dropped, and so are those that may hold a picture.
    private mutating func note(_ chunk: PNGChunk) {
        guard textCountBudget > 0, textBudget > 0 else { return }
        textCountBudget -= 1
        guard let text = PNGText(type: chunk.type, data: chunk.data, limit: textBudget) else {
            // It may have been decompressed up to the limit.
            if chunk.type != "tEXt" { textBudget /= 2 }
            return
        }
        textBudget -= text.text.count
        if text.keyword == PNGText.xmpKeyword {
            if metadata.xmp == nil { metadata.xmp = text.text }
        } else if let type = RawProfile.type(keyword: text.keyword) {
            // Colour profiles are kept: they hold no picture.
            if type == "icc" || type == "icm" {
                metadata.pngChunks.append(chunk)
            } else if Self.knownProfiles.contains(type), let bytes = RawProfile.bytes(text.text) {
                note(profile: bytes, type: type)
            }
        } else if !HiddenPicture.mayBe(in: text.text) {
            metadata.pngChunks.append(chunk)
        }
    }

    private static let knownProfiles: Set<String> = ["exif", "app1", "xmp", "iptc", "8bim"]

    private mutating func note(profile bytes: [UInt8], type: String) {
        switch type {
        case "exif", "app1":
            if bytes.starts(with: JPEGMetadata.exifPrefix) {
                exifOfText = exifOfText ?? Array(bytes.dropFirst(JPEGMetadata.exifPrefix.count))
            } else if bytes.starts(with: JPEGMetadata.xmpPrefix) {
                metadata.xmp = metadata.xmp ?? Array(bytes.dropFirst(JPEGMetadata.xmpPrefix.count))
            } else if ExifBlock(bytes) != nil {
                exifOfText = exifOfText ?? bytes
            }
        case "xmp":
            metadata.xmp = metadata.xmp ?? bytes
        case "iptc", "8bim":
            let prefix = JPEGMetadata.photoshopPrefix
            let resources = bytes.starts(with: prefix) ? Array(bytes.dropFirst(prefix.count)) : bytes
            metadata.photoshop =
                metadata.photoshop
                ?? (resources.first == 0x1C ? PhotoshopResources.resources(iptc: resources) : resources)
        default:
            break
        }
    }
}
