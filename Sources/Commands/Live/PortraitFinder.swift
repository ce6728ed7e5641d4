import FaceGeometry
import FaceTracking

/// Finds the faces of dropped photographs. The detector and the model are loaded at the first use.
final class PortraitFinder {
    private let model: String
    private let reference: ReferenceFace
    private var loaded: PhotographFaces?

    init(model: String, reference: ReferenceFace) {
        self.model = model
        self.reference = reference
    }

    func finder() throws -> PhotographFaces {
        if let loaded { return loaded }
        let finder = try PhotographFaces(
            reference: reference, model: { [model] in try LandmarkCascade(modelPath: model) })
        loaded = finder
        return finder
    }
}
