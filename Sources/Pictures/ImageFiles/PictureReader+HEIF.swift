import CHEIF
import Files
import Pixels

extension PictureReader {
    /// Reads HEIC and AVIF. The file's own rotation counts, not the orientation in EXIF (ISO/IEC 23008-12, annex A).
    static func readHEIF(
        _ bytes: UnsafeRawBufferPointer, as format: PictureFormat, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        guard let header = HEIFHeader(bytes) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: it describes no picture")
        }
        guard HEIFHeader.itemsEnd(bytes) else {
            throw PictureError(.damaged, path: path, "is damaged: its pictures refer to each other endlessly")
        }
        try checkSize(width: header.width, height: header.height, maximumSide: maximumSide, path: path)
        try format.requireLibrary(path: path)
        let pixelCount = header.width * header.height
        var limits = cheif_limits(
            seconds: Int32(secondsToDecode(width: header.width, height: header.height)),
            memory_bytes: UInt64(1 << 30 + 24 * pixelCount + bytes.count))
        var message = CodecMessage()
        let found = message.fill {
            cheif_read(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, pixelCount, &limits, $0)
        }
        guard let found else {
            throw PictureError(.damaged, path: path, "cannot be decoded: \(message.text)")
        }
        defer { cheif_close(found) }
        let (width, height, isDeep) = (Int(found.pointee.width), Int(found.pointee.height), found.pointee.bits > 8)
        try checkSize(width: width, height: height, maximumSide: maximumSide, path: path)
        let rowSize = width * (isDeep ? 8 : 4)
        let pixels = try decodedPixels(
            width: width, height: height, format: isDeep ? .rgba16 : .rgba8, path: path,
            decode: { rgba, bytesPerRow in
                for y in 0..<height {
                    (rgba + y * bytesPerRow).update(from: found.pointee.pixels + y * rowSize, count: rowSize)
                }
                return true
            }, reason: { "" })
        var picture = Picture(pixels: pixels, isColor: header.chroma > 0, hasAlpha: found.pointee.has_alpha)
        picture.format = format
        picture.compression = nil
        picture.metadata = metadata(found.pointee.metadata)
        picture.heif = HEIFCoding(bits: Int(found.pointee.bits), chroma: header.chroma)
        return picture
    }

    private static func metadata(_ found: cheif_metadata) -> PictureMetadata {
        func array(_ block: cheif_block) -> [UInt8]? {
            block.bytes.map { Array(UnsafeBufferPointer(start: $0, count: block.size)) }
        }
        var metadata = PictureMetadata()
        metadata.exif = array(found.exif)
        metadata.xmp = array(found.xmp)
        metadata.iccProfile = array(found.profile)
        if found.color.is_known { metadata.color = found.color }
        return metadata
    }
}

/// How the pixels of a HEIC or AVIF were compressed.
struct HEIFCoding: Equatable {
    /// A component.
    var bits: Int
    /// 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    var chroma: Int

    /// The name of the subsampling.
    var chromaName: String { chroma == 3 ? "444" : chroma == 2 ? "422" : "420" }
}
