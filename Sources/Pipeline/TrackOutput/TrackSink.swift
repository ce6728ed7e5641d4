import Compositing
import FaceGeometry
import Files
import FrameProcessing
import Gaze
import JSON
import Pixels
import Sound

/// Writes the faces of each frame as a line of JSON, in the format of `docs/reference/tracks.md`.
package final class TrackSink: FrameSink {
    private let file: GrowingFile
    private let reference: ReferenceFace
    private var gaze: GazeFollower?
    private let signals: FaceSignalSender?

    /// - Parameters:
    ///   - gaze: finds where the faces look; nil: that is not asked for.
    ///   - signals: sends the faces to other programs, too.
    package init(
        _ file: GrowingFile, gaze: GazeFollower? = nil, signals: FaceSignalSender? = nil, reference: ReferenceFace
    ) {
        self.file = file
        self.gaze = gaze
        self.signals = signals
        self.reference = reference
    }

    /// - Throws: `GrowingFile.ClosedPipe`, or `FileError` of kind `unwritable`; what `GazeFollower.follow` throws.
    package func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        if frame.isCut { gaze?.forget() }
        var faces = frame.faces
        try gaze?.follow(&faces, in: frame.pixels, at: frame.seconds, reference: reference)
        frame.faces = faces
        signals?.send(
            frame.faces, in: (frame.pixels.width, frame.pixels.height), at: frame.seconds ?? 0, sound: frame.sound)
        try file.write(Self.line(frame))
        return frame.reusedPixels()
    }

    package func finish() throws { try file.finish() }

    private static func line(_ frame: borrowing Frame) -> String {
        let members: [JSONValue.Member] = [
            .init("frame", .integer(frame.number)),
            .init("seconds", .number(((frame.seconds ?? 0) * 1e6).rounded() / 1e6)),
            .init("width", .integer(frame.pixels.width)), .init("height", .integer(frame.pixels.height)),
            .init("isCut", .bool(frame.isCut)),
        ]
        let sound = frame.sound.map { [JSONValue.Member("sound", json($0))] } ?? []
        let faces = [JSONValue.Member("faces", .array(frame.faces.map(\.json)))]
        return JSONValue.object(members + sound + faces).text() + "\n"
    }

    private static func json(_ sound: SoundSignals) -> JSONValue {
        .object(["loudness": Face.rounded(sound.loudness), "beat": Face.rounded(sound.beat)])
    }
}
