import FaceRecognition
import FaceTracking
import Gaze
import Masks

/// The masks that faces of photographs or of a video may wear, loaded and checked, and the recogniser that they need.
package struct WornMasks: Sendable {
    /// Everybody's; of several, the first.
    package let standard: Mask
    /// Everybody's: faces wear them in turn. At least one.
    package let turns: [Mask]
    /// With several: those of the people who are looked for and for whom no other is said.
    package let turnsByPerson: [String: Mask]
    /// The covering of each person's face; nil: everybody wears `standard`.
    package let people: PeopleCoverings?
    /// Nil: nobody is looked for.
    package let identifier: FaceIdentifier?

    /// Everybody's, and those that single people wear.
    package var all: [Mask] { turns + (people?.masks ?? []) }

    /// What users have to know of masks that draw nothing on faces, such as a background alone; a sentence for each.
    package var notices: [String] { all.compactMap(\.notice) }

    /// - Parameters:
    ///   - names: everybody's, at least one: names or folders.
    ///   - settings: nil: everybody wears them.
    ///   - areDrawn: whether any of them is; otherwise only `people` counts.
    ///   - load: loads a mask by its name or folder.
    /// - Throws: `FileError` about the store of people, `VisionError` about a network, and what `load` throws.
    package init(
        _ names: [String], people settings: PeopleSettings?, areDrawn: Bool = true, models: FaceModels,
        load: (String) throws -> Mask
    ) throws {
        let turns = try names.map(load)
        (self.turns, standard) = (turns, turns[0])
        let people = (settings?.people ?? []).map(\.name.text).sorted()
        let masksOfPeople = people.enumerated().map { ($1, turns[$0 % turns.count]) }
        turnsByPerson = turns.count == 1 ? [:] : Dictionary(uniqueKeysWithValues: masksOfPeople)
        self.people = try settings.map { try PeopleCoverings($0, load: load) }
        let worn = areDrawn ? turns + (self.people?.masks ?? []) : []
        for mask in worn { try GazeFollower.check(mask) }
        identifier = try PeopleSettings.identifier(settings, worn, models)
    }
}

extension Mask {
    /// What users have to know of a mask that draws nothing on faces; nil: it draws.
    package var notice: String? {
        let draws = layers.contains { if case .deform = $0.content { false } else { true } }
        return draws ? nil : "\(name) draws nothing on faces: they stay unmasked"
    }
}
