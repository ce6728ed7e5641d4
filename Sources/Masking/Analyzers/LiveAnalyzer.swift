import FaceTracking

/// Tracks faces from frame to frame without delay.
package final class LiveAnalyzer: FaceAnalyzer {
    private let tracker: FaceTracker
    private var analyzed: Frame?

    package init(_ tracker: FaceTracker) { self.tracker = tracker }

    package func add(_ frame: consuming Frame) throws {
        try tracker.track(frame.pixels, at: frame.seconds ?? 0)
        frame.faces = tracker.faces.map(\.instance)
        frame.isCut = tracker.scene.isCut
        frame.timings.tracking = tracker.times
        analyzed = consume frame
    }

    package func next(isEnding: Bool) -> Frame? { analyzed.take() }
}
