import FaceGeometry
import FaceTracking
import Masking
import Media
import Pixels

/// The source of a live session with its face tracker: the first half of the path of its frames. Frame times go on
/// where those of the source before ended.
final class LiveSource {
    let description: FrameSourceDescription
    let controls: TrackerControls
    private(set) var isPaused: Bool
    private let secondsBefore: Double
    private let makeAnalyzer: @Sendable () throws -> any FaceAnalyzer
    private var pipeline: FramePipeline?

    /// - Parameter secondsBefore: added to the times of frames.
    /// - Throws: `ClipError`, `FileError` or `VisionError`.
    init(
        _ settings: LiveSettings, reference: ReferenceFace, controls: TrackerControls = TrackerControls(),
        secondsBefore: Double = 0, isPaused: Bool = false, log: @escaping @Sendable (String) -> Void
    ) throws {
        description = try settings.source.description(reference: reference, report: log)
        self.controls = controls
        self.secondsBefore = secondsBefore
        self.isPaused = isPaused
        let cascade = try LandmarkCascade(modelPath: settings.model)
        var tracking = FaceTracker.Settings()
        tracking.smallestFace = settings.smallestFace
        // If no frame is dropped, the same input must give the same output.
        tracking.searchesInBackground = description.isLive
        makeAnalyzer = { [tracking] in
            let tracker = try FaceTracker(model: cascade, reference: reference, settings: tracking)
            return LiveAnalyzer(controls.attached(tracker))
        }
    }

    func start() {
        let pipeline = FramePipeline(description, makeAnalyzer: makeAnalyzer)
        pipeline.pause(isPaused)
        self.pipeline = pipeline
    }

    func stop() { pipeline?.stop() }

    func next(waiting seconds: Double) -> Frame? {
        guard var frame = pipeline?.next(waiting: seconds) else { return nil }
        frame.seconds = secondsBefore + (frame.seconds ?? 0)
        return frame
    }

    var status: FramePipeline.Status { pipeline?.status ?? FramePipeline.Status() }
    var isFinished: Bool { pipeline?.isFinished ?? true }

    func pause(_ isPaused: Bool) {
        self.isPaused = isPaused
        pipeline?.pause(isPaused)
    }

    func reuse(_ pixels: consuming PixelBuffer) { pipeline?.reuse(pixels) }
}
