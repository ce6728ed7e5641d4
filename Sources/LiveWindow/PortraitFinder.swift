import FaceGeometry
import FaceTracking

/// The face detector for photographs that are dropped on the window. It is loaded at the first use.
final class PortraitFinder {
    private let models: FaceModels
    private let reference: ReferenceFace
    private var loaded: PhotographFaces?

    init(models: FaceModels, reference: ReferenceFace) {
        self.models = models
        self.reference = reference
    }

    /// - Throws: `VisionError` if the detector or the model cannot be loaded.
    func finder() throws -> PhotographFaces {
        if let loaded { return loaded }
        let finder = try PhotographFaces(reference: reference, models: models)
        loaded = finder
        return finder
    }
}
