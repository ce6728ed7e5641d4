import CHEIF
import Glibc
import Pixels

extension PictureWriter {
    static func encodeHEIF(
        _ picture: borrowing Picture, as format: PictureFormat, metadata: PictureMetadata, quality: Int?, path: String
    ) throws(PictureError) -> EncodedPicture {
        try format.requireLibrary(path: path)
        let (width, height, bytesPerRow) = (picture.pixels.width, picture.pixels.height, picture.pixels.bytesPerRow)
        guard max(width, height) <= largestHEIFSide else {
            throw PictureError(
                .unsupported, path: path, "a \(format.name) cannot be \(width) × \(height) pixels; use --format png")
        }
        let coding = picture.heif ?? HEIFCoding(bits: 10, chroma: 1)
        // Encoders know 10 and 12 bits; 16 of a PNG or TIFF become 10, as screens and cameras have.
        let bits = picture.pixels.format == .rgba8 ? 8 : coding.bits > 10 ? 12 : 10
        let name = coding.chromaName
        let hasAlpha = picture.hasAlpha
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        var message = CodecMessage()
        let isWritten = picture.pixels.withUnsafeBytes { rgba in
            name.withCString { chroma in
                var settings = cheif_settings(
                    format: format == .avif ? CHEIF_AVIF : CHEIF_HEIC, width: Int32(width), height: Int32(height),
                    bits: Int32(bits), has_alpha: hasAlpha,
                    quality: Int32(quality ?? (format == .avif ? defaultQuality : defaultHEICQuality)),
                    chroma: chroma)
                return withBlocks(metadata) { blocks in
                    message.fill {
                        cheif_write(
                            rgba.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow, &settings, &blocks,
                            &buffer, &size, $0)
                    }
                }
            }
        }
        guard isWritten, let buffer else {
            throw PictureError(.unwritable, path: path, "cannot be compressed: \(message.text)")
        }
        return EncodedPicture(buffer: buffer, count: size)
    }

    /// In pixels: what video encoders take.
    private static let largestHEIFSide = 16_384
    /// x265 counts in another way: its 70 differs from the picture as little as a JPEG of quality 92 does, which a file of
    /// the same size shows, too.
    private static let defaultHEICQuality = 70

    private static func withBlocks<Result>(
        _ metadata: PictureMetadata, _ body: (inout cheif_metadata) -> Result
    ) -> Result {
        let (exif, xmp, profile) = (metadata.exif ?? [], metadata.xmp ?? [], metadata.iccProfile ?? [])
        return exif.withUnsafeBufferPointer { exif in
            xmp.withUnsafeBufferPointer { xmp in
                profile.withUnsafeBufferPointer { profile in
                    func block(_ bytes: UnsafeBufferPointer<UInt8>) -> cheif_block {
                        cheif_block(bytes: bytes.baseAddress, size: bytes.count)
                    }
                    var blocks = cheif_metadata(
                        exif: block(exif), xmp: block(xmp), profile: block(profile),
                        color: metadata.color ?? cheif_color())
                    return body(&blocks)
                }
            }
        }
    }
}
