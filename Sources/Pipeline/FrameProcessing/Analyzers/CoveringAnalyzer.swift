import Compositing
import FaceTracking

/// Finds all faces of a live picture, which are to be covered, beside those that another analyzer tracks with landmarks. Frames
/// come out `LiveFaceBoxTracker.delay` later than they go in.
package final class CoveringAnalyzer: FaceAnalyzer {
    private final class Waiting {
        var frame: Frame?
        init(_ frame: consuming Frame) { self.frame = consume frame }
    }

    private let analyzer: any FaceAnalyzer
    private let tracker: LiveFaceBoxTracker
    private var waiting: [Waiting] = []
    private var isFinished = false

    /// - Parameter analyzer: tracks faces without delay.
    package init(_ analyzer: any FaceAnalyzer, _ tracker: LiveFaceBoxTracker) {
        (self.analyzer, self.tracker) = (analyzer, tracker)
    }

    package func add(_ frame: consuming Frame) throws {
        try analyzer.add(frame)
        while var frame = try analyzer.next(isEnding: false) {
            let start = ContinuousClock.now
            try tracker.add(frame.pixels, at: frame.seconds ?? 0)
            frame.timings.tracking.search += (ContinuousClock.now - start) / .seconds(1)
            waiting.append(Waiting(frame))
        }
    }

    package func next(isEnding: Bool) throws -> Frame? {
        if isEnding, !isFinished {
            isFinished = true
            if let last = waiting.last, let frame = last.frame.take() {
                try tracker.finish(frame.pixels)
                last.frame = consume frame
            }
        }
        guard let faces = tracker.next(isEnding: isEnding), var frame = waiting.removeFirst().frame.take() else {
            return nil
        }
        frame.facePlaces = faces.boxes.map { .known($0) } ?? .unknown
        return frame
    }
}
