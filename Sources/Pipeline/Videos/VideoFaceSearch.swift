import Clips
import Compositing
import FaceTracking
import Files
import FrameProcessing
import Installation
import Pixels

/// Finds all faces of a video before the first of them is covered: one that is found late is covered from where it could be seen
/// first.
package struct VideoFaceSearch: Sendable {
    private let models: FaceModels
    private let thoroughness: SearchThoroughness
    /// No more frames than this are read; nil: all.
    private let frameLimit: Int?

    package init(models: FaceModels, thoroughness: SearchThoroughness, frameLimit: Int?) {
        (self.models, self.thoroughness, self.frameLimit) = (models, thoroughness, frameLimit)
    }

    /// All that decides what a search finds in a clip: the program, and its settings.
    package var settings: String {
        let commit = SourceCommit.find().map { $0.hash + ($0.isNewerThanProgram ? "+" : "") } ?? ""
        let detector = models.detector ?? .centerFace
        let frames = frameLimit.map { "\($0)" } ?? "all"
        return "\(Release.version) \(commit) \(detector.rawValue) \(thoroughness) \(frames)"
    }

    /// - Parameters:
    ///   - corrections: of a person who has looked at the video.
    ///   - known: what an earlier search with the same settings has found in it; nil: it is searched.
    ///   - isCancelled: asked before each frame.
    ///   - progress: called after each frame, with its time in seconds.
    /// - Returns: nil if it was cancelled.
    /// - Throws: `ClipError` or `VisionError`.
    package func found(
        in input: FilePath, _ information: ClipInformation, corrections: FaceBoxCorrections,
        known: FaceBoxSearch? = nil, isCancelled: () -> Bool, progress: (_ seconds: Double) -> Void
    ) throws -> FaceBoxSearch? {
        let sink = FaceBoxSink(try models.makeFaceBoxTracker(thoroughness, corrections: corrections, known: known))
        let source = ClipSource.description(
            input, information: information, frames: frameLimit, isPaced: false, isLive: false, sound: nil)
        let pipeline = FramePipeline(source) { PassingAnalyzer() }
        defer { pipeline.stop() }
        let isComplete = try pipeline.run(
            into: sink, isCancelled: isCancelled, compose: { progress($0.seconds ?? 0) })
        guard isComplete, let search = sink.search else { return nil }
        // Other frames than those that were searched: perhaps another version of ffmpeg decodes them.
        if let known, known.times != search.times {
            return try found(
                in: input, information, corrections: corrections, isCancelled: isCancelled, progress: progress)
        }
        return search
    }
}

/// Shows all frames of a recording to a tracker of boxes.
private final class FaceBoxSink: FrameSink {
    /// Nil until all frames have been taken.
    private(set) var search: FaceBoxSearch?
    private let tracker: FaceBoxTracker

    init(_ tracker: FaceBoxTracker) { self.tracker = tracker }

    func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        try tracker.add(frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    func finish() { search = tracker.finish() }
}
