import FaceGeometry
import FaceTracking
import FrameProcessing
import Synchronization

/// Makes analyzers with models that have been loaded.
final class AnalyzerSource: Sendable {
    /// Safe: it is handed over once, and nobody else has a reference.
    private struct Handed: @unchecked Sendable { let analyzer: any FaceAnalyzer }

    private let make: @Sendable () throws -> any FaceAnalyzer
    private let first: Mutex<Handed?>
    /// Whether pictures wait for what other threads would do, so that the same pictures always have the same result.
    let waits: Bool

    /// Loads the models, on any thread, and makes a first analyzer.
    /// - Throws: `VisionError` about the models, or `NoThread`.
    init(_ analysis: EngineOptions.Analysis, reference: ReferenceFace) throws {
        waits = analysis.waits
        let models = analysis.models
        let landmarkModel = try models.loadLandmarkModel(for: .frames)
        if !analysis.waits {
            // What their own threads could not load would be known only with the first picture.
            _ = try models.makeDetector(for: .frames)
            if analysis.covers { _ = try models.makeLiveFaceBoxTracker(waits: true) }
        }
        make = {
            var settings = FaceTracker.Settings()
            settings.smallestFace = analysis.smallestFace
            (settings.searchesInBackground, settings.waitsAtCuts) = (!analysis.waits, !analysis.waits)
            let tracker = try FaceTracker(model: landmarkModel, reference: reference, settings: settings) {
                try models.makeDetector(for: .frames)
            }
            let analyzer = LiveAnalyzer(tracker)
            guard analysis.covers else { return analyzer }
            return CoveringAnalyzer(analyzer, try models.makeLiveFaceBoxTracker(waits: analysis.waits))
        }
        first = Mutex(Handed(analyzer: try make()))
    }

    /// An analyzer that has seen no frame.
    /// - Throws: `VisionError`, or `NoThread`.
    func analyzer() throws -> any FaceAnalyzer {
        let ready = first.withLock { first in
            defer { first = nil }
            return first
        }
        return try ready?.analyzer ?? make()
    }
}
