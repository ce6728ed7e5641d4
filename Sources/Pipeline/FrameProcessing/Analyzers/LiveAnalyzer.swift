import Compositing
import FaceRecognition
import FaceTracking

/// Tracks faces from frame to frame without delay.
package final class LiveAnalyzer: FaceAnalyzer {
    private let tracker: FaceTracker
    /// Nil: nobody is looked for.
    private var identifier: TrackIdentifier?
    private var analyzed: Frame?
    /// Of the last frame.
    private var scene: Int?

    package init(_ tracker: FaceTracker) { self.tracker = tracker }

    /// Whether enrolled people are looked for.
    package var identifiesFaces: Bool { identifier != nil }

    /// Looks for enrolled people from the next frame on.
    /// - Parameter waits: whether frames wait until faces have been identified; otherwise a thread of its own does it.
    package func identify(with identifier: FaceIdentifier, waits: Bool) {
        self.identifier = TrackIdentifier(identifier, .live, waits: waits)
    }

    package func add(_ frame: consuming Frame) throws {
        try tracker.track(frame.pixels, at: frame.seconds ?? 0, isCut: frame.scene.map { $0 != scene })
        scene = frame.scene
        frame.faces = tracker.faces.map(\.instance)
        frame.isCut = tracker.isCut
        if let identifier {
            let seconds = frame.seconds ?? 0
            try identifier.look(at: frame.faces, in: frame.pixels, at: seconds, isCut: frame.isCut)
            identifier.identify(&frame.faces, at: seconds)
        }
        frame.timings.tracking = tracker.times
        analyzed = consume frame
    }

    package func next(isEnding: Bool) -> Frame? { analyzed.take() }
}
