import Compositing
import FaceTracking
import FrameProcessing
import Pixels

/// Shows all frames of a recording to a tracker of boxes.
final class FaceBoxSink: FrameSink {
    /// Once all frames have been taken.
    private(set) var tracks: [FaceBoxTracker.Track] = []
    private let tracker: FaceBoxTracker

    init(_ tracker: FaceBoxTracker) { self.tracker = tracker }

    func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        try tracker.add(frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    func finish() { tracks = tracker.finish() }
}
