import Compositing
import FaceGeometry
import FaceTracking
import FrameProcessing
import LandmarkModels
import NeuralNetworks

/// A `LiveAnalyzer` whose models the user can change while it runs, and which looks for people once a mask asks who wears
/// it, and for faces without landmarks once they are to be blurred. What that needs is loaded on the analyzer's thread; frames
/// wait for it, or are dropped.
final class ChangeableAnalyzer: FaceAnalyzer {
    private let controls: TrackerControls
    private let reference: ReferenceFace
    private let settings: FaceTracker.Settings
    private var analyzer: LiveAnalyzer
    private var models: FaceModels
    private var landmarkModel: any LandmarkModel
    private var hasChanged = false
    private var untrackedFaces = UntrackedFaces.unwanted

    private enum UntrackedFaces {
        case unwanted
        /// Nil: they cannot be looked for.
        case wanted(PromptFaceBoxTracker?)
        /// What finds them is not installed; the frames since then.
        case missing(frames: Int)
    }

    /// - Parameter landmarkModel: of `models`.
    /// - Throws: `VisionError` if the detector cannot be loaded.
    init(
        _ models: FaceModels, landmarkModel: any LandmarkModel, controls: TrackerControls, reference: ReferenceFace,
        settings: FaceTracker.Settings
    ) throws {
        (self.controls, self.reference, self.settings) = (controls, reference, settings)
        (self.models, self.landmarkModel) = (models, landmarkModel)
        analyzer = try Self.analyzer(models, landmarkModel, controls, reference, settings)
    }

    private static func analyzer(
        _ models: FaceModels, _ landmarkModel: any LandmarkModel, _ controls: TrackerControls,
        _ reference: ReferenceFace, _ settings: FaceTracker.Settings
    ) throws -> LiveAnalyzer {
        let tracker = try FaceTracker(model: landmarkModel, reference: reference, settings: settings) {
            try models.makeDetector(for: .frames)
        }
        return LiveAnalyzer(controls.attached(tracker))
    }

    func add(_ frame: consuming Frame) throws {
        let wanted = controls.models
        if wanted != models { change(to: wanted) }
        if !analyzer.identifiesFaces, let identifier = controls.takeIdentifier() {
            analyzer.identify(with: identifier, waits: !settings.searchesInBackground)
        }
        // Tracks begin anew.
        if hasChanged { frame.isCut = true }
        try analyzer.add(frame)
    }

    func next(isEnding: Bool) throws -> Frame? {
        guard var frame = analyzer.next(isEnding: isEnding) else { return nil }
        if hasChanged { frame.isCut = true }
        hasChanged = false
        if let tracker = trackerOfUntrackedFaces() {
            let start = ContinuousClock.now
            let smallestFace = controls.smallestFace ?? settings.smallestFace
            let smallest = Float(smallestFace.pixels(ofHeight: frame.pixels.height))
            let boxes = try tracker.add(frame.pixels, at: frame.seconds ?? 0, isCut: frame.isCut)
            frame.facePlaces = boxes.map { .known($0.filter { $0.side >= smallest }) } ?? .unknown
            frame.timings.tracking.search += (ContinuousClock.now - start) / .seconds(1)
        }
        return frame
    }

    private func trackerOfUntrackedFaces() -> PromptFaceBoxTracker? {
        guard controls.findsUntrackedFaces else {
            untrackedFaces = .unwanted
            return nil
        }
        switch untrackedFaces {
        case .wanted(let tracker): return tracker
        case .missing(let frames):
            // The user may have fetched it.
            untrackedFaces = .missing(frames: (frames + 1) % Self.framesBetweenLooks)
            guard frames == 0, models.networks.has(.centerFace) else { return nil }
        case .unwanted where !models.networks.has(.centerFace):
            controls.refuseUntrackedFaces(reason: nil)
            untrackedFaces = .missing(frames: 1)
            return nil
        case .unwanted: break
        }
        var made: PromptFaceBoxTracker?
        do {
            made = try models.makePromptFaceBoxTracker(waits: !settings.searchesInBackground)
        } catch {
            controls.refuseUntrackedFaces(
                reason: models.networks.hasCenterFace
                    ? "\(error)" : "that needs MediaPipe's networks; \(NetworkFolder.remedy) fetches them")
        }
        untrackedFaces = .wanted(made)
        return made
    }

    private static let framesBetweenLooks = 30

    private func change(to wanted: FaceModels) {
        do {
            var other = wanted
            other.detector = models.detector
            // Another detector needs no other landmark model.
            let model = other == models ? landmarkModel : try wanted.loadLandmarkModel(for: .frames)
            analyzer = try Self.analyzer(wanted, model, controls, reference, settings)
            (models, landmarkModel, hasChanged) = (wanted, model, true)
        } catch {
            controls.refuse(wanted, reason: "\(error)", used: models)
        }
    }
}
