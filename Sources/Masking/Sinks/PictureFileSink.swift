import Files
import ImageFiles
import Pixels

/// Writes a frame to a picture file.
package final class PictureFileSink: FrameSink {
    private let path: FilePath
    private let report: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - path: of a PNG that does not exist yet.
    ///   - report: takes the error if it cannot be written, on the sink's thread.
    package init(_ path: FilePath, report: @escaping @Sendable (any Error) -> Void) {
        self.path = path
        self.report = report
    }

    package func take(_ frame: consuming Frame) -> PixelBuffer? {
        do {
            try PictureWriter.write(
                Picture(pixels: frame.reusedPixels()), to: path, options: .init(format: .png), replacing: false)
        } catch {
            report(error)
        }
        return nil
    }

    package func finish() {}
}
