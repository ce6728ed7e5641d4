import Clips
import Compositing
import FaceTracking
import Files
import FrameProcessing
import Pixels

/// Finds all faces of a video before the first of them is covered: one that is found late is covered from where it could be seen
/// first.
package struct VideoFaceSearch: Sendable {
    package struct Found: Sendable {
        /// In the order of their first frames.
        package let tracks: [FaceBoxTracker.Track]
        /// Of all frames, in seconds.
        package let times: [Double]
    }

    private let models: FaceModels
    private let thoroughness: SearchThoroughness
    /// No more frames than this are read; nil: all.
    private let frameLimit: Int?

    package init(models: FaceModels, thoroughness: SearchThoroughness, frameLimit: Int?) {
        (self.models, self.thoroughness, self.frameLimit) = (models, thoroughness, frameLimit)
    }

    /// - Parameters:
    ///   - corrections: of a person who has looked at the video.
    ///   - isCancelled: asked before each frame.
    ///   - progress: called after each frame.
    /// - Returns: nil if it was cancelled.
    /// - Throws: `ClipError` or `VisionError`.
    package func found(
        in input: FilePath, _ information: ClipInformation, corrections: FaceBoxCorrections,
        isCancelled: () -> Bool, progress: () -> Void
    ) throws -> Found? {
        let sink = FaceBoxSink(try models.makeFaceBoxTracker(thoroughness, corrections: corrections))
        let source = ClipSource.description(
            input, information: information, frames: frameLimit, isPaced: false, isLive: false, sound: nil)
        let pipeline = FramePipeline(source) { PassingAnalyzer() }
        defer { pipeline.stop() }
        let isComplete = try pipeline.run(into: sink, isCancelled: isCancelled, compose: { _ in progress() })
        return isComplete ? Found(tracks: sink.tracks, times: sink.times) : nil
    }
}

/// Shows all frames of a recording to a tracker of boxes.
private final class FaceBoxSink: FrameSink {
    /// Once all frames have been taken.
    private(set) var tracks: [FaceBoxTracker.Track] = []
    private(set) var times: [Double] = []
    private let tracker: FaceBoxTracker

    init(_ tracker: FaceBoxTracker) { self.tracker = tracker }

    func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        times.append(frame.seconds ?? 0)
        try tracker.add(frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    func finish() { tracks = tracker.finish() }
}
