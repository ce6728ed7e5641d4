import CWebP
import Glibc
import Pixels

extension PictureWriter {
    static func encodeWebP(
        _ picture: borrowing Picture, metadata: PictureMetadata, quality: Int?, path: String
    ) throws(PictureError) -> EncodedPicture {
        guard max(picture.pixels.width, picture.pixels.height) <= Int(CWEBP_LARGEST_SIDE) else {
            throw PictureError(
                .unsupported, path: path,
                "a WebP cannot be \(picture.pixels.width) × \(picture.pixels.height) pixels; use --format png")
        }
        let hasAlpha = picture.hasAlpha
        let compression =
            quality.map(PictureCompression.lossy) ?? picture.compression ?? .lossy(quality: defaultQuality)
        if picture.pixels.format == .rgba16 {
            let narrow: PixelBuffer
            do {
                narrow = try picture.pixels.withEightBits()
            } catch {
                throw PictureError(.outOfMemory, path: path, "\(error)")
            }
            return try encodeWebP(narrow, hasAlpha: hasAlpha, compression, metadata, path: path)
        }
        return try encodeWebP(picture.pixels, hasAlpha: hasAlpha, compression, metadata, path: path)
    }

    private static func encodeWebP(
        _ pixels: borrowing PixelBuffer, hasAlpha: Bool, _ compression: PictureCompression,
        _ metadata: PictureMetadata, path: String
    ) throws(PictureError) -> EncodedPicture {
        var settings = cwebp_settings(is_lossless: true, quality: 100, has_alpha: hasAlpha)
        if case .lossy(let quality) = compression { (settings.is_lossless, settings.quality) = (false, Float(quality)) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        var message = CodecMessage()
        let (width, height, bytesPerRow) = (pixels.width, pixels.height, pixels.bytesPerRow)
        let isWritten = pixels.withUnsafeBytes { rgba in
            message.fill {
                cwebp_write(
                    rgba.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(height), bytesPerRow,
                    &settings, &buffer, &size, $0)
            }
        }
        guard isWritten, let buffer else {
            throw PictureError(.unwritable, path: path, "cannot be compressed: \(message.text)")
        }
        defer { free(buffer) }
        let file = WebPContainer.file(
            UnsafeRawBufferPointer(start: buffer, count: size), width: width, height: height, hasAlpha: hasAlpha,
            metadata: metadata)
        return try EncodedPicture(file, path: path)
    }
}
