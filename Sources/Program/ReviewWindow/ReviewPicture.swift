import FaceGeometry
import Files
import ImageFiles
import Pixels
import Vision

/// A picture to look at, reduced to what a window needs. Any thread may read it.
package final class ReviewPicture: Sendable {
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
    package struct Obstacle: Error, Equatable { package let reason: String }

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
            return try reduced(try PictureReader.read(bytes, path: source.description))
        } catch let obstacle as Obstacle {
            throw obstacle
        } catch {
            throw Obstacle(reason: "\(error)")
        }
    }

    /// Reads the result of a photograph. The record of results may name any file: none is read that lies outside of the
    /// folder, or is not what was written.
    /// - Parameters:
    ///   - name: the path of the result below `folder`.
    ///   - checksum: it must have, as `Checksum.ofFile` finds it; nil: none was written.
    /// - Throws: `Obstacle`, whose reason is the beginning of a sentence.
    package static func result(
        _ name: FilePath, in folder: FilePath, checksum: UInt64?
    ) throws(Obstacle) -> ReviewPicture {
        guard let checksum else { throw Obstacle(reason: "There is no result") }
        do {
            let file = try OpenFolder(folder.isEmpty ? "." : folder).open(name)
            let bytes = try FileBytes(file)
            guard bytes.withUnsafeBytes({ Checksum.ofContent($0) }) == checksum else {
                throw Obstacle(reason: "The result has changed since it was made")
            }
            return try reduced(try PictureReader.read(bytes, path: name.description))
        } catch let obstacle as Obstacle {
            throw obstacle
        } catch {
            throw Obstacle(reason: "The result cannot be read")
        }
    }

    private static func reduced(_ picture: consuming Picture) throws -> ReviewPicture {
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let size = Point(Float(width), Float(height))
        let scale = min(1, Float(longestSide) / size.max())
        func scaled(_ length: Int) -> Int { max(1, Int((Float(length) * scale).rounded())) }
        if picture.pixels.format == .rgba16 {
            return ReviewPicture(
                try picture.pixels.withEightBits().resized(width: scaled(width), height: scaled(height)), size: size)
        }
        if scale == 1 {
            var pixels = try PixelBuffer(width: 1, height: 1, format: .rgba8)
            swap(&pixels, &picture.pixels)
            return ReviewPicture(pixels, size: size)
        }
        return ReviewPicture(try picture.pixels.resized(width: scaled(width), height: scaled(height)), size: size)
    }
}
