import FaceGeometry
import FaceTracking

/// The face detector for photographs that are dropped on the window. It is loaded at the first use.
final class PortraitFinder {
    private let model: String
    private let reference: ReferenceFace
    private var loaded: PhotographFaces?

    init(model: String, reference: ReferenceFace) {
        self.model = model
        self.reference = reference
    }

    /// - Throws: `VisionError` if the detector or the model cannot be loaded.
    func finder() throws -> PhotographFaces {
        if let loaded { return loaded }
        let finder = try PhotographFaces(
            reference: reference, model: { [model] in try LandmarkCascade(modelPath: model) })
        loaded = finder
        return finder
    }
}
