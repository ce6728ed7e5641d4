import FaceRecognition
import FaceTracking
import Gaze
import Masks

/// The masks that faces of photographs or of a video may wear, loaded and checked, and the recogniser that they need.
package struct WornMasks: Sendable {
    /// Everybody's.
    package let standard: Mask
    /// The covering of each person's face; nil: everybody wears `standard`.
    package let people: PeopleCoverings?
    /// Nil: nobody is looked for.
    package let identifier: FaceIdentifier?

    /// `standard`, and those that single people wear.
    package var all: [Mask] { [standard] + (people?.masks ?? []) }

    /// - Parameters:
    ///   - settings: nil: everybody wears the mask.
    ///   - areDrawn: whether any of them is; otherwise only `people` counts.
    ///   - load: loads a mask by its name or folder.
    /// - Throws: `FileError` about the store of people, `VisionError` about a network, and what `load` throws.
    package init(
        _ mask: String, people settings: PeopleSettings?, areDrawn: Bool = true, models: FaceModels,
        load: (String) throws -> Mask
    ) throws {
        standard = try load(mask)
        people = try settings.map { try PeopleCoverings($0, load: load) }
        let worn = areDrawn ? [standard] + (people?.masks ?? []) : []
        for mask in worn { try GazeFollower.check(mask) }
        identifier = try PeopleSettings.identifier(settings, worn, models)
    }
}
