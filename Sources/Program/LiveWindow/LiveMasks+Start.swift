import FaceGeometry
import Files
import Gaze
import Installation

/// What a session begins with.
extension LiveMasks {
    /// The mask of the last session may be gone, or broken: then the session begins with another one.
    static func first(
        _ settings: LiveSettings, _ preferences: LivePreferences, data: DataFolder, reference: ReferenceFace,
        mesh: FaceMesh, pupils: SuppliedPupilFinder, warn: (String) -> Void
    ) throws -> LiveMasks {
        func masks(_ first: String) throws -> LiveMasks {
            let masks = try LiveMasks(data: data, reference: reference, mesh: mesh, pupils: pupils, first: first)
            masks.favourites = preferences.favourites
            return masks
        }
        if settings.mask == nil, let last = preferences.mask {
            do {
                return try masks(last)
            } catch {
                warn("the mask of the last session: \(error)")
            }
        }
        // A packed mask, for instance one that was opened in a file manager.
        if let path = settings.mask.map({ FilePath($0) }), path.fileExtension == "bauta", path.exists,
            !Folder.exists(path)
        {
            let masks = try masks(LiveSettings.defaultMask)
            masks.wear(try masks.droppedLoader.loaded(package: path))
            return masks
        }
        return try masks(settings.mask ?? LiveSettings.defaultMask)
    }
}
