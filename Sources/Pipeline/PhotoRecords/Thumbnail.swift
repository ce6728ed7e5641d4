import Files
import ImageFiles
import Pixels
import Vision

/// Small pictures of a photograph for a contact sheet: JPEG files in memory.
package struct Thumbnail: Sendable {
    /// Of the longer side, in pixels.
    package static let side = 256
    private static let quality = 75

    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// - Throws: `PictureError`, `VisionError` or `OutOfMemory`.
    package init(of picture: borrowing Picture) throws {
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let scale = min(1, Double(Self.side) / Double(max(width, height)))
        func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        let small: PixelBuffer
        if picture.pixels.format == .rgba16 {
            small = try picture.pixels.withEightBits().resized(width: scaled(width), height: scaled(height))
        } else {
            small = try picture.pixels.resized(width: scaled(width), height: scaled(height))
        }
        (self.width, self.height) = (small.width, small.height)
        var thumbnail = Picture(pixels: small, isColor: picture.isColor, hasAlpha: picture.hasAlpha)
        // A grey JPEG cannot have the profile of a coloured one, nor the other way round; both are the picture's own.
        thumbnail.metadata.iccProfile = picture.metadata.iccProfile
        let options = PictureWriter.Options(format: .jpeg, quality: Self.quality)
        bytes = try PictureWriter.encode(thumbnail, options: options, path: "the thumbnail").bytes()
    }

    /// Of a picture file; nil if it cannot be read.
    package init?(file: FilePath) {
        guard let picture = try? PictureReader.read(file), let made = try? Thumbnail(of: picture) else { return nil }
        self = made
    }
}
