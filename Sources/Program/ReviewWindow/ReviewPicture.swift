import FaceGeometry
import Files
import ImageFiles
import Pixels
import Vision

/// A picture to look at, reduced to what a window needs. Any thread may read it.
final class ReviewPicture: Sendable {
    /// `rgba8`.
    let pixels: PixelBuffer
    /// The width and height of the whole picture, in which faces have their places.
    let size: Point

    init(_ pixels: consuming PixelBuffer, size: Point) {
        self.pixels = pixels
        self.size = size
    }

    /// Of the longer side, in pixels: more than screens have, so that one can look closer.
    static let longestSide = 3200

    /// A photograph that was not read, and why: a sentence.
    struct Obstacle: Error, Equatable { let reason: String }

    /// Reads a photograph.
    /// - Parameter checksum: it must have, as `Checksum.ofFile` finds it; nil: any.
    /// - Throws: `Obstacle`.
    static func read(_ source: FilePath, checksum: UInt64?) throws(Obstacle) -> ReviewPicture {
        do {
            if source.isMissing {
                throw Obstacle(
                    reason:
                        "\(source) is not there any more. Put it back, or run bauta photo again from where it is now.")
            }
            let file = try RegularFile(source)
            let bytes = try FileBytes(file)
            guard checksum == nil || bytes.withUnsafeBytes({ Checksum.ofContent($0) }) == checksum else {
                throw Obstacle(
                    reason:
                        "\(source) has changed since its result was made. Run the same bauta photo command again, then review."
                )
            }
            let picture = try PictureReader.read(bytes, path: source.description)
            let (width, height) = (picture.pixels.width, picture.pixels.height)
            let size = Point(Float(width), Float(height))
            let scale = min(1, Float(longestSide) / size.max())
            func scaled(_ length: Int) -> Int { max(1, Int((Float(length) * scale).rounded())) }
            if picture.pixels.format == .rgba16 {
                return ReviewPicture(
                    try picture.pixels.withEightBits().resized(width: scaled(width), height: scaled(height)), size: size
                )
            }
            if scale == 1 {
                var picture = picture
                var pixels = try PixelBuffer(width: 1, height: 1, format: .rgba8)
                swap(&pixels, &picture.pixels)
                return ReviewPicture(pixels, size: size)
            }
            return ReviewPicture(try picture.pixels.resized(width: scaled(width), height: scaled(height)), size: size)
        } catch let obstacle as Obstacle {
            throw obstacle
        } catch {
            throw Obstacle(reason: "\(error)")
        }
    }
}
