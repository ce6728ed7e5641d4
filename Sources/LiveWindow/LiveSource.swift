import FaceGeometry
import FaceTracking
import Masking
import Media
import Pixels

/// The source of a live session and its face tracker: the first half of a frame's path. When the user changes to another
/// source, its frame times continue where those of the previous source ended.
final class LiveSource {
    let description: FrameSourceDescription
    let controls: TrackerControls
    private(set) var isPaused: Bool
    /// Added to the times of frames, in seconds.
    private let secondsBefore: Double
    private let makeAnalyzer: @Sendable () throws -> any FaceAnalyzer
    private var pipeline: FramePipeline?

    /// - Parameters:
    ///   - secondsBefore: added to the times of frames.
    ///   - log: receives messages about a camera, on the source's thread.
    /// - Throws: `ClipError`, `FileError` or `VisionError`.
    init(
        _ settings: LiveSettings, reference: ReferenceFace, controls: TrackerControls = TrackerControls(),
        secondsBefore: Double = 0, isPaused: Bool = false, log: @escaping @Sendable (String) -> Void
    ) throws {
        description = try settings.source.description(reference: reference, report: log)
        self.controls = controls
        self.secondsBefore = secondsBefore
        self.isPaused = isPaused
        let models = settings.models
        let model = try models.loadLandmarkModel(for: .frames)
        var tracking = FaceTracker.Settings()
        tracking.smallestFace = settings.smallestFace
        // A search in the background ends after a varying number of frames. If no frame may be dropped, the same input
        // must give the same output, so each search is completed within its frame.
        tracking.searchesInBackground = description.isLive
        makeAnalyzer = { [tracking] in
            let tracker = try FaceTracker(model: model, reference: reference, settings: tracking) {
                try models.makeDetector(for: .frames)
            }
            return LiveAnalyzer(controls.attached(tracker))
        }
    }

    func start() {
        let pipeline = FramePipeline(description, makeAnalyzer: makeAnalyzer)
        pipeline.pause(isPaused)
        self.pipeline = pipeline
    }

    func stop() { pipeline?.stop() }

    /// The next analyzed frame; from a live source, the newest. Nil if none arrives within `seconds`.
    func next(waiting seconds: Double) -> Frame? {
        guard var frame = pipeline?.next(waiting: seconds) else { return nil }
        frame.seconds = secondsBefore + (frame.seconds ?? 0)
        return frame
    }

    var status: FramePipeline.Status { pipeline?.status ?? FramePipeline.Status() }
    /// Whether the source has ended and all its frames have been taken.
    var isFinished: Bool { pipeline?.isFinished ?? true }

    func pause(_ isPaused: Bool) {
        self.isPaused = isPaused
        pipeline?.pause(isPaused)
    }

    /// Returns the memory of a frame for use by later frames.
    func reuse(_ pixels: consuming PixelBuffer) { pipeline?.reuse(pixels) }
}
