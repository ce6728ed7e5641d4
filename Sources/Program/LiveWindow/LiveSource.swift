import Compositing
import FaceGeometry
import FaceTracking
import FrameProcessing
import FrameSources
import LandmarkModels
import Pixels
import SourceSelection
import Threads

/// The source of a live session and its face tracker: the first half of a frame's path. When the user changes to another
/// source, its frame times continue where those of the previous source ended.
final class LiveSource {
    /// The slow part of opening: it examines files and loads the landmark model. Any thread may do it.
    struct Prepared: Sendable {
        let description: FrameSourceDescription
        let models: FaceModels
        /// Of `models`.
        let landmarkModel: any LandmarkModel

        /// - Parameters:
        ///   - loaded: whose landmark model is taken if it is the same; nil: none.
        ///   - log: receives messages about a camera, on the source's thread.
        /// - Throws: `ClipError`, `FileError` or `VisionError`.
        init(
            _ options: SourceOptions, models: FaceModels, reference: ReferenceFace, loaded: Prepared? = nil,
            log: @escaping @Sendable (String) -> Void
        ) throws {
            description = try options.description(reference: reference, report: log)
            self.models = models
            landmarkModel =
                if let loaded, loaded.models == models { loaded.landmarkModel } else {
                    try models.loadLandmarkModel(for: .frames)
                }
        }
    }

    let prepared: Prepared
    var description: FrameSourceDescription { prepared.description }
    let controls: TrackerControls
    private(set) var isPaused: Bool
    /// Added to the times of frames, in seconds.
    private let secondsBefore: Double
    private let makeAnalyzer: @Sendable () throws -> any FaceAnalyzer
    private var pipeline: FramePipeline?

    /// - Parameters:
    ///   - smallestFace: that the detector looks for.
    ///   - covering: what finds the faces that are to be covered; nil: they wear masks.
    ///   - secondsBefore: added to the times of frames.
    init(
        _ prepared: Prepared, smallestFace: SmallestFace, reference: ReferenceFace, controls: TrackerControls,
        covering: FaceModels?, secondsBefore: Double = 0, isPaused: Bool = false
    ) {
        self.prepared = prepared
        self.controls = controls
        self.secondsBefore = secondsBefore
        self.isPaused = isPaused
        var tracking = FaceTracker.Settings()
        tracking.smallestFace = smallestFace
        // A search in the background ends after a varying number of frames. If no frame may be dropped, the same input
        // must give the same output, so each search is completed within its frame.
        tracking.searchesInBackground = prepared.description.isLive
        tracking.waitsAtCuts = prepared.description.isLive
        tracking.showsStills = prepared.description.showsStills
        makeAnalyzer = { [tracking] in
            let analyzer = try ChangeableAnalyzer(
                prepared.models, landmarkModel: prepared.landmarkModel, controls: controls, reference: reference,
                settings: tracking)
            guard let covering else { return analyzer }
            return CoveringAnalyzer(
                analyzer, try covering.makeLiveFaceBoxTracker(waits: !tracking.searchesInBackground))
        }
    }

    /// - Parameter previous: the source whose place it takes, which ends. Nobody waits for that here.
    /// - Throws: `NoThread`, if there is a previous source; it goes on.
    func start(after previous: LiveSource? = nil) throws(NoThread) {
        let pipeline = FramePipeline(description, after: previous?.pipeline, makeAnalyzer: makeAnalyzer)
        if let previous {
            if let failure = pipeline.status.failure as? NoThread { throw failure }
            previous.pipeline?.cancel()
        }
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
