import FaceGeometry
import Files
import Pixels

/// The photographs of the window, in the order in which they were opened, and which of them is shown.
package struct PhotographList: Equatable, Sendable {
    /// Files and folders that were opened.
    package private(set) var inputs: [FilePath] = []
    package private(set) var photographs: [FilePath] = []
    /// Of the shown photograph, as an index of `photographs`.
    package private(set) var place = 0
    /// How the user has turned photographs that lay on their sides.
    package private(set) var turns: [FilePath: Orientation] = [:]
    /// What the user has chosen for faces of photographs.
    private var choices: [FilePath: [FaceWear]] = [:]
    /// The path of the folder for results without its ending; nil: there are no photographs.
    private var base: FilePath?
    /// The folders for results that the user has chosen, by the endings of those beside the photographs: covered
    /// photographs never come among recognisable ones.
    package var chosenFolders: [String: FilePath] = [:]

    /// The folder that the results of a run come to, as it was found on the disk; nil: none has been looked for.
    package var foundFolder: FoundFolder?

    package struct FoundFolder: Equatable, Sendable {
        package let run: PhotographRun
        /// Nil: it is being looked for.
        package var folder: FilePath?
        /// That of the choice before, which is shown meanwhile; nil: none is.
        package let before: FilePath?

        package init(run: PhotographRun, folder: FilePath?, before: FilePath? = nil) {
            (self.run, self.folder, self.before) = (run, folder, before)
        }

        /// What is shown while the folder of another run is looked for: this one, if only masks were chosen since; nil: nothing.
        package func shown(before next: PhotographRun) -> FilePath? {
            let isSamePlace = run.inputs == next.inputs && run.chosenFolder == next.chosenFolder
            return run.cover == nil && next.cover == nil && isSamePlace ? folder ?? before : nil
        }
    }

    /// What a face wears by the user's choice, whatever other masks are chosen.
    private struct FaceWear: Equatable, Sendable {
        /// As fractions of the picture's width and height.
        let place: Point
        /// The mask's folder; nil: nothing.
        let mask: FilePath?

        /// The same face once the photograph has been turned by 90°. Places stay thousandths, so that four quarters are none.
        func turned(toRight: Bool) -> FaceWear {
            func opposite(_ share: Float) -> Float { (1000 * (1 - share)).rounded() / 1000 }
            let turned = toRight ? Point(opposite(place.y), place.x) : Point(place.y, opposite(place.x))
            return FaceWear(place: turned, mask: mask)
        }
    }

    package init() {}

    /// Nil: there are no photographs.
    package var shown: FilePath? { photographs.isEmpty ? nil : photographs[place] }

    /// The folder for new results. If it is there, another one gets a number; nil: there are no photographs.
    /// - Parameter ending: of its name, unless the user has chosen one for these results.
    package func resultFolder(ending: String) -> FilePath? { chosenFolders[ending] ?? base.map { $0 + ending } }

    /// Turns the shown photograph by 90°, and what is chosen for its faces.
    package mutating func turn(toRight: Bool) {
        guard let shown else { return }
        let order: [Orientation] = [.upright, .turnRight, .upsideDown, .turnLeft]
        let old = order.firstIndex(of: turns[shown] ?? .upright) ?? 0
        let new = order[(old + (toRight ? 1 : 3)) % 4]
        turns[shown] = new == .upright ? nil : new
        choices[shown] = choices[shown].map { Self.ordered($0.map { $0.turned(toRight: toRight) }) }
    }

    /// The same choices are the same run, in whatever order they were made.
    private static func ordered(_ choices: [FaceWear]) -> [FaceWear] {
        choices.sorted { ($0.place.x, $0.place.y) < ($1.place.x, $1.place.y) }
    }

    /// Lets a face of the shown photograph wear the next mask, and after the last one none. Before a preview is drawn, too, the
    /// next one is counted from what the user has chosen.
    /// - Parameters:
    ///   - index: of the face.
    ///   - masks: the folders of those that are chosen.
    package mutating func wearNext(of masks: [FilePath], onFace index: Int, of faces: ShownFaces) {
        guard shown != nil, faces.all.indices.contains(index), !masks.isEmpty else { return }
        let next = worn(of: masks, byFace: index, of: faces).map { (masks.firstIndex(of: $0) ?? -1) + 1 } ?? 0
        wear(next < masks.count ? masks[next] : nil, of: masks, onFace: index, of: faces)
    }

    /// What a face of the shown photograph wears by the user's choice, or else by itself; nil: no mask.
    package func worn(of masks: [FilePath], byFace index: Int, of faces: ShownFaces) -> FilePath? {
        guard let shown, faces.all.indices.contains(index) else { return nil }
        let own = choices[shown, default: []].last { choice in
            faces.face(at: choice.place) == index && (choice.mask.map { masks.contains($0) } ?? true)
        }
        return if let own { own.mask } else { faces.all[index].usual }
    }

    /// Lets a face of the shown photograph wear a mask.
    /// - Parameters:
    ///   - mask: nil: none.
    ///   - masks: the folders of those that are chosen, this one among them.
    ///   - index: of the face.
    package mutating func wear(_ mask: FilePath?, of masks: [FilePath], onFace index: Int, of faces: ShownFaces) {
        guard let shown, faces.all.indices.contains(index) else { return }
        let face = faces.all[index]
        var new = choices[shown, default: []].filter { faces.face(at: $0.place) != index }
        // What the face wears anyway is no choice. With other masks, that may be another one.
        if mask != face.usual || masks != faces.masks {
            new.append(FaceWear(place: faces.place(of: index), mask: mask))
        }
        choices[shown] = new.isEmpty ? nil : Self.ordered(new)
    }

    /// Whether a face of a photograph that is not shown wears a mask by the user's choice.
    package func isWornElsewhere(_ mask: FilePath) -> Bool {
        choices.contains { photograph, choices in photograph != shown && choices.contains { $0.mask == mask } }
    }

    /// What the user has chosen for faces of photographs. A mask that is no longer among those that are worn is none of it.
    /// - Parameter masks: the folders of those.
    package func wearing(_ masks: [FilePath]) -> [FilePath: [ChosenMask]] {
        choices.mapValues { choices in
            choices.compactMap { choice in
                guard let mask = choice.mask else { return ChosenMask(place: choice.place, mask: nil) }
                return masks.firstIndex(of: mask).map { ChosenMask(place: choice.place, mask: $0) }
            }
        }.filter { !$0.value.isEmpty }
    }

    /// Adds what is new, and shows the first of it.
    package mutating func add(_ found: PhotographSelection) {
        let (old, count) = (Set(photographs), photographs.count)
        photographs += found.photographs.filter { !old.contains($0) }
        inputs += found.inputs.filter { !inputs.contains($0) }
        base = found.base ?? base
        if photographs.count > count { place = count }
    }

    /// Shows the photograph so many places further; past either end the order wraps around.
    package mutating func move(by step: Int) {
        let count = photographs.count
        if count > 0 { place = ((place + step) % count + count) % count }
    }
}
