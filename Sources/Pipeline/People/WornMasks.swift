import FaceRecognition
import FaceTracking
import Gaze
import Masks
import Pixels

/// The masks that faces of photographs or of a video may wear, loaded and checked, and the recogniser that they need.
package struct WornMasks: Sendable {
    /// One of several masks in turn shows other people's faces. Who wears another mask gives none, so faces would stay bare.
    package struct Revealing: Error, CustomStringConvertible {
        let mask: String

        package var description: String {
            "\(mask) shows other people's faces, so it cannot be one of several masks."
        }
    }

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

    /// What users have to know of masks that draw nothing on faces, such as a background alone, and of backgrounds that are
    /// left out; a sentence for each.
    package var notices: [String] { all.compactMap(\.notice) + (backgroundNotice.map { [$0] } ?? []) }

    /// There is one background, that of the first mask.
    private var backgroundNotice: String? {
        let other = all.dropFirst().first { mask in
            guard let background = mask.background else { return false }
            return standard.background.map { !$0.isSame(as: background) } ?? true
        }
        return other.map { "the background of \($0.name) is left out: \(standard.name) is the first mask, and decides" }
    }

    /// - Parameters:
    ///   - names: everybody's, at least one: names or folders.
    ///   - settings: nil: everybody wears them.
    ///   - areDrawn: whether any of them is; otherwise only `people` counts.
    ///   - load: loads a mask by its name or folder.
    /// - Throws: `Revealing`; `FileError` about the store of people, `VisionError` about a network, and what `load` throws.
    package init(
        _ names: [String], people settings: PeopleSettings?, areDrawn: Bool = true, models: FaceModels,
        load: (String) throws -> Mask
    ) throws {
        let turns = try names.map(load)
        if turns.count > 1, let mask = turns.first(where: \.isRecognisableAlone) { throw Revealing(mask: mask.name) }
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
        layers.contains(where: \.draws) ? nil : "\(name) draws nothing on faces: they stay unmasked"
    }
}

extension Layer {
    /// Whether it draws anything: a painting may be empty.
    fileprivate var draws: Bool {
        let picture: LayerPicture
        switch content {
        case .deform, .hair: return false
        case .prop, .comic: return true
        case .warp(let warp): picture = warp.picture
        case .sticker(let sticker): picture = sticker.picture
        }
        guard case .texture(let texture) = picture, texture.pixels.format == .rgba8 else { return true }
        return (0..<texture.pixels.height).contains { y in
            texture.pixels.withRow(y) { row in row.indices.contains { row[$0].w > 0 } }
        }
    }
}
