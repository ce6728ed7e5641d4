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
                "is an animated PNG; only its first picture would remain")
        }
        // libpng allocates what the header asks for, so the size is checked first.
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
        picture.compression = .lossless
        picture.metadata = metadata
        return picture
    }
}
