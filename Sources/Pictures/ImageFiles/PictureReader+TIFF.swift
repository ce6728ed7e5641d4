import CTIFF
import Pixels

extension PictureReader {
    static func readTIFF(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        let contents = try TIFFContents(bytes, path: path)
        let page = contents.page
        try checkSize(width: page.width, height: page.height, maximumSide: maximumSide, path: path)
        var layout = ctiff_layout(
            width: Int32(page.width), height: Int32(page.height), bits_per_sample: Int32(page.bitsPerSample),
            samples_per_pixel: Int32(page.samplesPerPixel), is_converted: page.isConverted, is_color: page.isColor,
            is_inverted: page.photometric == .whiteIsZero, alpha: Int32(page.alpha?.rawValue ?? 0))
        let pixelBytes = page.width * page.height * (page.isDeep ? 8 : 4)
        var limits = ctiff_limits(
            seconds: Int32(secondsToDecode(width: page.width, height: page.height)),
            memory_bytes: UInt64(256 << 20 + 3 * pixelBytes + bytes.count))
        let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var message = CodecMessage()
        let stored = try decodedPixels(
            width: page.width, height: page.height, format: page.isDeep ? .rgba16 : .rgba8, path: path,
            decode: { rgba, bytesPerRow in
                message.fill { ctiff_read(data, bytes.count, &layout, &limits, rgba, bytesPerRow, $0) }
            }, reason: { message.text })
        var picture = Picture(
            pixels: try upright(stored, metadata: contents.metadata, path: path), isColor: page.isColor,
            hasAlpha: page.alpha != nil)
        picture.format = .tiff
        picture.metadata = contents.metadata
        picture.compression = page.compression == 1 ? .uncompressed : .lossless
        return picture
    }

    /// Processor time that a child process may take for a picture, in seconds: many times what a real one needs.
    static func secondsToDecode(width: Int, height: Int) -> Int { 10 + 2 * (width * height / 1_000_000) }

    static func rawError(_ name: String, path: String) -> PictureError {
        PictureError(
            .unsupported, path: path,
            "is a camera's raw file (\(name)), which must be developed first, for example with darktable-cli or "
                + "rawtherapee-cli (Debian's darktable, rawtherapee)")
    }
}
