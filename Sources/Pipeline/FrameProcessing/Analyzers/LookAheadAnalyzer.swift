import Compositing
import FaceRecognition
import FaceTracking
import MaskComposition
import Sound

/// Tracks the faces of recorded video, with the frames before and after each one known: frames come out 0.4 seconds
/// later than they go in.
package final class LookAheadAnalyzer: FaceAnalyzer {
    /// Data of a frame besides its pixels, while the tracker holds those.
    private struct Waiting {
        let number: Int
        let captured: ContinuousClock.Instant
        let encoding: ColorEncoding
        let sound: SoundSignals?
    }

    private let tracker: LookAheadTracker
    /// Nil: nobody is looked for.
    private let identifier: TrackIdentifier?
    private var waiting: [Waiting] = []

    package init(_ tracker: LookAheadTracker, identifier: FaceIdentifier? = nil) {
        self.tracker = tracker
        self.identifier = identifier.map { TrackIdentifier($0, .recorded, waits: true) }
        if let identifier = self.identifier {
            tracker.observe = { faces, pixels, seconds, isCut in
                try identifier.look(at: faces, in: pixels, at: seconds, isCut: isCut)
            }
        }
    }

    package func add(_ frame: consuming Frame) throws {
        waiting.append(
            Waiting(
                number: frame.number, captured: frame.captured, encoding: frame.encoding, sound: frame.sound))
        let seconds = frame.seconds ?? 0
        try tracker.add(frame.reusedPixels(), at: seconds)
    }

    package func next(isEnding: Bool) throws -> Frame? {
        guard let output = try tracker.next(isEnding: isEnding) else { return nil }
        let (seconds, faces, isCut, isMixture) = (output.seconds, output.faces, output.isCut, output.isMixture)
        let origin = waiting.removeFirst()
        var frame = Frame(
            output.reusedPixels(), seconds: seconds, number: origin.number, captured: origin.captured,
            encoding: origin.encoding)
        frame.faces = faces
        identifier?.identify(&frame.faces, at: seconds)
        frame.isCut = isCut
        frame.isMixture = isMixture
        frame.sound = origin.sound
        return frame
    }
}
