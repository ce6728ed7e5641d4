import FaceTracking
import ImageFiles
import Pixels

/// The pictures of samples/ at three eighths of their size are masked sooner.
package enum SmallSample {
    package static let (width, height) = (240, 300)

    /// - Returns: a JPEG file.
    package static func bytes(_ name: String) throws -> [UInt8] {
        let large = try PictureReader.read(Repository.root + "/samples/\(name).jpg")
        let small = Picture(pixels: try large.pixels.resized(width: width, height: height))
        return try PictureWriter.encode(small, options: .init(format: .jpeg), path: name).bytes()
    }
}
