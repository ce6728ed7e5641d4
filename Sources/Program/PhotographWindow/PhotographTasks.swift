import Compositing
import FaceGeometry
import Files
import LiveWindow
import Pixels

/// What the window of photographs has done. Each function is called on a thread of the window's own.
package struct PhotographTasks: Sendable {
    /// The photographs among files and folders, beside those that are open.
    package let find: @Sendable (_ inputs: [FilePath], _ opened: [FilePath]) -> Found
    /// A photograph without a mask, reduced for a window; less so if somebody looks at it closely.
    package let show: @Sendable (_ photograph: FilePath, _ turn: Orientation, _ isClose: Bool) -> Shown
    /// A photograph with masks, reduced for a window.
    package let preview: @Sendable (_ subject: PreviewSubject) -> Shown
    /// A photograph and its result, reduced for a window.
    package let showResult: @Sendable (_ run: PhotographRun, _ folder: FilePath, _ photograph: FilePath) -> Compared
    /// Masks all photographs of a run, those of its folders that have come since it was chosen, too.
    package let mask: @Sendable (_ run: PhotographRun, _ shown: [FilePath], _ progress: PhotographProgress) -> Made
    /// The folder that the results of a run come to: one of earlier results that goes on, or a new one.
    package let resultFolder: @Sendable (_ run: PhotographRun) -> FilePath
    /// Whether faces can be found that are seen from the side.
    package let findsProfiles: @Sendable () -> Bool

    /// Fetches networks that are missing.
    package let networks: NetworkFetch

    package typealias Found = Result<PhotographSelection, PhotographObstacle>
    package typealias Shown = Result<ShownPhotograph, PhotographObstacle>
    package typealias Compared = Result<ComparedPhotograph, PhotographObstacle>
    package typealias Made = Result<PhotographResults, PhotographObstacle>

    package init(
        find: @escaping @Sendable ([FilePath], [FilePath]) -> Found,
        show: @escaping @Sendable (FilePath, Orientation, Bool) -> Shown,
        preview: @escaping @Sendable (PreviewSubject) -> Shown,
        showResult: @escaping @Sendable (PhotographRun, FilePath, FilePath) -> Compared,
        mask: @escaping @Sendable (PhotographRun, [FilePath], PhotographProgress) -> Made,
        resultFolder: @escaping @Sendable (PhotographRun) -> FilePath,
        findsProfiles: @escaping @Sendable () -> Bool, networks: NetworkFetch
    ) {
        (self.find, self.show, self.preview, self.mask, self.networks) = (find, show, preview, mask, networks)
        (self.resultFolder, self.showResult, self.findsProfiles) = (resultFolder, showResult, findsProfiles)
    }
}

/// Why something cannot be done: a sentence.
package struct PhotographObstacle: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ error: any Error) { description = "\(error)" }
    package init(_ text: String) { description = text }
}

/// A photograph with the masks that its people wear.
package struct PreviewSubject: Equatable, Sendable {
    package let photograph: FilePath
    package let turn: Orientation
    /// Of the photograph among all, from 0: it decides who wears which mask.
    package let number: Int
    /// Their folders.
    package let masks: [FilePath]
    /// What the user has chosen for some faces.
    package let wearing: [ChosenMask]
    /// How faces are covered in place of masks; nil: they wear masks.
    package let cover: FaceCover.Style?
    /// Whether somebody looks at it closely.
    package let isClose: Bool

    package init(
        photograph: FilePath, turn: Orientation, number: Int, masks: [FilePath], wearing: [ChosenMask],
        cover: FaceCover.Style?, isClose: Bool
    ) {
        (self.photograph, self.turn, self.number, self.masks) = (photograph, turn, number, masks)
        (self.wearing, self.cover, self.isClose) = (wearing, cover, isClose)
    }
}

/// A picture that several threads may read.
package final class ShownPhotograph: Sendable {
    /// `rgba8`.
    package let pixels: PixelBuffer
    /// What the mask leaves out or leaves visible; nil: nothing.
    let notice: String?
    /// The faces that were found; none where they are covered.
    package let faces: ShownFaces

    package init(_ pixels: consuming PixelBuffer, notice: String? = nil, faces: ShownFaces = ShownFaces()) {
        self.pixels = pixels
        (self.notice, self.faces) = (notice, faces)
    }
}

/// A photograph as it was masked, and its result.
package struct ComparedPhotograph: Sendable {
    package let before: ShownPhotograph
    /// The result, or why it cannot be shown.
    package let after: Result<ShownPhotograph, PhotographObstacle>

    package init(before: ShownPhotograph, after: Result<ShownPhotograph, PhotographObstacle>) {
        (self.before, self.after) = (before, after)
    }
}

/// A face of a photograph that is shown.
package struct ShownFace: Equatable, Sendable {
    /// In pixels of the picture that is shown.
    package let box: FaceBox
    /// The folder of the mask that it wears; nil: it wears none.
    package let mask: FilePath?
    /// The folder of the mask that it wears unless the user chooses another one.
    package let usual: FilePath

    package init(box: FaceBox, mask: FilePath?, usual: FilePath) {
        (self.box, self.mask, self.usual) = (box, mask, usual)
    }
}

/// The faces of a photograph that is shown, from left to right.
package struct ShownFaces: Equatable, Sendable {
    package let all: [ShownFace]
    /// The folders of the masks that were chosen when the faces were found.
    package let masks: [FilePath]
    /// Of the picture that is shown, in pixels.
    private let size: Point

    package init() { (all, masks, size) = ([], [], Point(1, 1)) }

    package init(_ all: [ShownFace], masks: [FilePath], in size: (width: Int, height: Int)) {
        (self.all, self.masks, self.size) = (all, masks, Point(Float(size.width), Float(size.height)))
    }

    /// The index of the face at a place; nil: no face is there.
    /// - Parameter place: as fractions of the picture's width and height.
    package func face(at place: Point) -> Int? { MaskPlaces.face(at: place * size, among: all.map(\.box)) }

    /// The place of a face, as fractions of the picture's width and height. A thousandth is all that a choice needs, and the
    /// same choice has the same place in previews of other sizes.
    package func place(of index: Int) -> Point {
        let place = all[index].box.center / size
        return Point((1000 * place.x).rounded() / 1000, (1000 * place.y).rounded() / 1000)
    }

    /// The box of a face, as fractions of the picture's width and height.
    func share(of index: Int) -> (corner: Point, size: Point) {
        let box = all[index].box
        return (Point(box.x, box.y) / size, Point(box.width, box.height) / size)
    }
}

/// The photographs among files and folders.
package struct PhotographSelection: Sendable {
    package let inputs: [FilePath]
    package let photographs: [FilePath]
    /// Why others of the files and folders are left out: sentences; nil: none are.
    package let refusal: String?
    /// The path of the folder for results without its ending; nil: there are no photographs.
    package let base: FilePath?

    /// - Parameters:
    ///   - inputs: the files and folders with photographs; the same one always has the same path.
    ///   - photographs: those of the inputs, in their order; may be empty.
    package init(inputs: [FilePath], photographs: [FilePath], refusal: String?, base: FilePath? = nil) {
        (self.inputs, self.photographs, self.refusal, self.base) = (inputs, photographs, refusal, base)
    }
}

/// What is to be masked.
package struct PhotographRun: Equatable, Sendable {
    /// Files and folders.
    package let inputs: [FilePath]
    /// The folders of the masks, which people wear in turn; none where faces are covered.
    package let masks: [FilePath]
    /// How photographs are turned. Results that are turned otherwise are other results.
    package let turns: [FilePath: Orientation]
    /// What the user has chosen for faces of photographs. Results with other choices are other results.
    package let wearing: [FilePath: [ChosenMask]]
    /// How faces are covered in place of masks; nil: they wear masks.
    package let cover: FaceCover.Style?
    /// The folder for results that the user has chosen; nil: one beside the photographs.
    package let chosenFolder: FilePath?
    /// The folder of results of an earlier run that goes on; nil: a new one is created.
    package var folder: FilePath?

    package init(
        inputs: [FilePath], masks: [FilePath], turns: [FilePath: Orientation] = [:],
        wearing: [FilePath: [ChosenMask]] = [:], cover: FaceCover.Style? = nil, chosenFolder: FilePath? = nil,
        folder: FilePath? = nil
    ) {
        // Whatever mask was worn before, the same covers are the same results.
        (self.inputs, self.masks, self.turns, self.folder) = (inputs, cover == nil ? masks : [], turns, folder)
        (self.cover, self.chosenFolder, self.wearing) = (cover, chosenFolder, cover == nil ? wearing : [:])
    }

    /// The end of the name of a folder for results.
    package static func ending(_ cover: FaceCover.Style?) -> String { cover == nil ? " masked" : " covered" }
}

/// What was made of the photographs.
package struct PhotographResults: Equatable, Sendable {
    package var folder: FilePath
    /// Whether faces are covered. Photographs without a face are left out then, and otherwise copied.
    package let areCovered: Bool
    /// Whether the folder exists, which it does unless nothing could be written.
    package var hasFolder = false
    package var masked = 0
    package private(set) var failed = 0
    /// How many of those that did not fail had been done before.
    package var kept = 0
    /// Why the first of them failed, or else what was left out.
    package var failure: String?
    /// How many photographs a stopped run has not begun.
    package var left = 0
    /// How many of those have results of this session's choice before.
    package var outdated = 0
    /// How many photographs show no face, and the names of the first ones.
    package private(set) var faceless = 0
    /// How many photographs show faces, none of which wears a mask, and the names of the first ones.
    package private(set) var unchanged = 0
    private var unchangedNames: [String] = []
    private var facelessNames: [String] = []
    private var failedNames: [String] = []

    private static let mostNames = 8

    /// How many photographs were done, also those that failed.
    var done: Int { masked + faceless + unchanged + failed }

    package init(folder: FilePath, areCovered: Bool = false) {
        (self.folder, self.areCovered) = (folder, areCovered)
    }

    package mutating func noteFaceless(_ name: String) {
        faceless += 1
        if facelessNames.count < Self.mostNames { facelessNames.append(name) }
    }

    package mutating func noteUnchanged(_ name: String) {
        unchanged += 1
        if unchangedNames.count < Self.mostNames { unchangedNames.append(name) }
    }

    /// - Parameter reason: a sentence.
    package mutating func noteFailed(_ name: String, _ reason: String?) {
        failed += 1
        failure = failure ?? reason
        if failedNames.count < Self.mostNames { failedNames.append(name) }
    }

    /// The names of the first ones in brackets.
    private static func list(_ names: [String], of count: Int) -> String {
        if names.isEmpty { return "" }
        let more = count - names.count
        return " (" + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "") + ")"
    }

    /// A sentence for the user.
    package var text: String { text(of: "") }
    /// Likewise, where nothing else says what is counted.
    package var wholeText: String { text(of: masked == 1 ? "photograph " : "photographs ") }

    /// - Parameter noun: of what is masked, with a space behind it.
    private func text(of noun: String) -> String {
        var parts = ["\(masked) \(noun)\(areCovered ? "covered" : "masked")"]
        if faceless > 0 {
            let fate = areCovered ? "left out" : "copied"
            parts.append("\(faceless) without a face, \(fate)\(Self.list(facelessNames, of: faceless))")
        }
        if unchanged > 0 {
            let fate = unchanged == 1 ? "left as it is" : "left as they are"
            parts.append("\(unchanged) \(fate)\(Self.list(unchangedNames, of: unchanged))")
        }
        if failed > 0 { parts.append("\(failed) failed\(Self.list(failedNames, of: failed))") }
        if left > 0 {
            let fate = outdated == 1 ? "1 keeps the result" : "\(outdated) keep the results"
            parts.append("\(left) left" + (outdated > 0 ? " (\(fate) of the choice before)" : ""))
        }
        let beginning =
            left > 0 ? "Stopped: " : kept > 0 && kept == masked + faceless + unchanged ? "Nothing new: " : ""
        return beginning + parts.joined(separator: ", ")
    }
}
