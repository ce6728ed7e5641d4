import Files
import JSON
import Pixels

/// Writes the faces of each frame as a line of JSON, in the format of `docs/tracks.md`.
package final class TrackSink: FrameSink {
    private let file: GrowingFile

    package init(_ file: GrowingFile) { self.file = file }

    /// - Throws: `GrowingFile.ClosedPipe`, or `FileError` of kind `unwritable`.
    package func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        try file.write(Self.line(frame))
        return frame.reusedPixels()
    }

    package func finish() throws { try file.finish() }

    private static func line(_ frame: borrowing Frame) -> String {
        JSONValue.object([
            "frame": .integer(frame.number),
            "seconds": .number(((frame.seconds ?? 0) * 1e6).rounded() / 1e6),
            "width": .integer(frame.pixels.width), "height": .integer(frame.pixels.height),
            "isCut": .bool(frame.isCut), "faces": .array(frame.faces.map(\.json)),
        ]).text() + "\n"
    }
}
