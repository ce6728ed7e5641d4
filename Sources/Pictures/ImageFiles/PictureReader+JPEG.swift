import CCodecs
import Pixels

extension PictureReader {
    static func readJPEG(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        var info = ccodecs_jpeg_info()
        var error = ccodecs_error()
        let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let reader = ccodecs_jpeg_open(data, bytes.count, &info, &error) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: \(error.text)")
        }
        defer { ccodecs_jpeg_close(reader) }
        try checkSize(width: Int(info.width), height: Int(info.height), maximumSide: maximumSide, path: path)
        guard info.tables.color_space != Int32(CCODECS_JPEG_OTHER) else {
            throw PictureError(
                .unsupported, path: path,
                "is a JPEG with other colours than grey, RGB and CMYK; convert it to RGB first")
        }
        let isCMYK = info.tables.color_space == Int32(CCODECS_JPEG_CMYK)
        var metadata = JPEGMetadata.metadata(of: bytes)
        var stored = try decodedPixels(
            width: Int(info.width), height: Int(info.height), format: .rgba8, path: path,
            decode: { ccodecs_jpeg_read(reader, $0, $1, &error) }, reason: { error.text })
        if isCMYK {
            // The result is in sRGB, which needs no profile.
            let profile = metadata.iccProfile.take() ?? []
            let (width, height, stride) = (info.width, info.height, stored.bytesPerRow)
            stored.withUnsafeMutableBytes {
                ccodecs_cmyk_to_srgb(profile, profile.count, $0.baseAddress, width, height, stride)
            }
        }
        var picture = Picture(
            pixels: try upright(stored, metadata: metadata, path: path),
            isColor: info.tables.color_space != Int32(CCODECS_JPEG_GREY))
        picture.format = .jpeg
        picture.compression = nil
        picture.metadata = metadata
        picture.jpegTables = isCMYK ? nil : info.tables
        return picture
    }
}
