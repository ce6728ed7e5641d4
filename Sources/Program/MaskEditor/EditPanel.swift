import Clips
import Display
import Files
import JSON
import MaskAuthoring
import Masks
import Threads

/// The left part of the editor: history, mask, layers, points, problems.
final class EditPanel {
    private let package: EditedPackage
    private let view: TextureView
    private let layers: LayerListPanel

    private let chooser: FileChooser
    private let messages: WindowMessages
    private let author: AuthorPanel
    private let placement: FacePlacement
    /// The packed mask that was written last; nil: none was.
    private var exported: FilePath?
    private let opening = BackgroundWork()

    init(
        _ package: EditedPackage, view: TextureView, chooser: FileChooser, author: AuthorPanel,
        placement: FacePlacement, messages: WindowMessages
    ) {
        self.package = package
        self.view = view
        self.chooser = chooser
        self.author = author
        self.placement = placement
        self.messages = messages
        layers = LayerListPanel(package, view: view, chooser: chooser, placement: placement, messages: messages)
    }

    func draw(_ panels: Panels) {
        panels.itemWidth(-Self.beside)
        drawHistory(panels)
        panels.section("Mask") { drawMask(panels) }
        panels.section("Layers", isOpenAtFirst: true) { layers.draw(panels) }
        if let layer = package.selectedLayer {
            panels.section("This layer", isOpenAtFirst: true) {
                LayerPanel(package, chooser: chooser, placement: placement, messages: messages).draw(layer, panels)
            }
        }
        // Other layers have none. Those of a texture that cannot be read for a moment stay.
        if let layer = package.selectedLayer, [.warp, .makeup].contains(layer.layerType), layer["live"] == nil {
            panels.section("Points", isOpenAtFirst: true) { drawPoints(panels) }
        }
        drawProblems(panels)
    }

    private func drawHistory(_ panels: Panels) {
        let history = package.history
        panels.disabled(history.isSaved) { if panels.button("save", icon: .save) { author.save() } }
        panels.hint("Save (Ctrl+S)")
        panels.sameLine(ifRoomFor: "save as")
        if panels.button("save as", icon: .saveAs) { saveAs() }
        panels.hint("Save as (Ctrl+Shift+S): saves the mask as a new folder and continues with it")
        panels.sameLine(ifRoomFor: "export")
        panels.disabled(!package.canBeExported) { if panels.button("export", icon: .export) { export() } }
        panels.hint(
            package.canBeExported
                ? "Export (Ctrl+E): saves the mask, and packs it into one file that others can install"
                : "Export (Ctrl+E): mend the mask's errors first. They are listed below")
        panels.disabled(history.undoName == nil) { if panels.button("undo", icon: .undo) { package.history.undo() } }
        panels.hint(history.undoName.map { "Undo (Ctrl+Z): \($0)" } ?? "Nothing to undo")
        panels.sameLine(ifRoomFor: "redo")
        panels.disabled(history.redoName == nil) { if panels.button("redo", icon: .redo) { package.history.redo() } }
        panels.hint(history.redoName.map { "Redo (Ctrl+Shift+Z): \($0)" } ?? "Nothing to redo")
        panels.sameLine()
        if panels.button(.help, "keys") { messages.toggleHelp() }
        panels.hint("F1: what keys do")
        panels.sameLine(ifRoomFor: "Unsaved", hasIcon: false)
        panels.text(history.isSaved ? "Saved" : "Unsaved")
        opening.handBack()
        // In its row: nothing below moves.
        guard let exported, history.isSaved else { return }
        panels.sameLine()
        if panels.button(.folder, "show") { show(exported) }
        panels.hint("Opens the folder of what you exported: \(exported)")
    }

    private func show(_ file: FilePath) {
        opening.add {
            Result { () throws(FileManagerWindow.Failure) in try FileManagerWindow.open(file.parent) }
        } finish: { [messages] result in
            if case .failure(let failure) = result { messages.say(failure.description, isAlarm: true) }
        }
    }

    /// Asks for the name of a copy that the user goes on with.
    func saveAs() {
        author.prepare(.saveAs { [unowned self] done in chooser.askForName(of: package, done: done) })
    }

    /// Asks for the place of a packed mask.
    func export() {
        guard package.canBeExported else {
            return messages.say("Mend the mask's errors first. They are listed on the left", isAlarm: true)
        }
        author.prepare(.export { [unowned self] done in askForExport(done: done) })
    }

    private func askForExport(done: @escaping () -> Void) {
        chooser.askForExport(of: package) { [weak self, messages] text, place in
            messages.say("\(text) The button beside \"Saved\" opens its folder.")
            self?.exported = place
            done()
        }
    }

    /// What is left free beside controls, for a button or a patch of colour.
    private static let beside: Float = 58

    private func drawMask(_ panels: Panels) {
        panels.itemWidth(-1)
        defer { panels.itemWidth(-Self.beside) }
        for (key, label) in [
            ("name", "name"), ("description", "about"), ("author", "author"), ("license", "licence"),
        ] {
            let old = package.history.current.manifest[key]?.string ?? ""
            let new = panels.field(label, old)
            if new != old {
                package.change("set \(key)", edit: key) {
                    $0.manifest[key] = new.isEmpty && key != "name" ? nil : .string(new)
                }
            }
            if key == "description" { panels.hint(new.isEmpty ? "A few words about the mask, for lists" : new) }
            if key == "license" { panels.hint("An SPDX identifier, such as CC0-1.0 or CC-BY-4.0") }
        }
        drawOccluders(panels)
        drawLikeness(panels)
    }

    /// What stays in front of the mask. All of it does unless the mask says otherwise.
    private func drawOccluders(_ panels: Panels) {
        let names = package.history.current.manifest["under"]?.elements.compactMap(\.string)
        let old = names.map { Set($0.compactMap(Mask.Occluder.init)) } ?? Mask.Occluder.usual
        var new = old
        let hasProps = package.worn?.isOnlyPaint == false
        panels.text(
            hasProps
                ? "In front of the mask (props and stickers lie over hair and glasses):" : "In front of the mask:")
        for (index, occluder) in Mask.Occluder.allCases.enumerated() {
            if index > 0 { panels.sameLine(ifRoomFor: occluder.rawValue) }
            let isCovered = occluder.isBehindProps && hasProps
            panels.disabled(isCovered) {
                let isChosen = panels.checkbox(occluder.rawValue, old.contains(occluder) && !isCovered)
                if isChosen { new.insert(occluder) } else if !isCovered { new.remove(occluder) }
            }
            panels.hint(
                isCovered
                    ? "Props and stickers stand on the face: a mask with one lies over hair and glasses"
                    : "Where it is in front of the face, it stays in front of the mask")
        }
        guard new != old else { return }
        // What props cover now keeps its choice for the time without them.
        let words = Mask.Occluder.allCases.filter(new.contains).map { JSONValue.string($0.rawValue) }
        package.change("set under") { $0.manifest["under"] = new == Mask.Occluder.usual ? nil : .array(words) }
    }

    /// Masks made of a person's picture.
    private func drawLikeness(_ panels: Panels) {
        let key = MaskLoader.likenessKey
        guard let old = package.history.current.manifest[key]?.string else { return }
        let hasAgreed = old == Mask.Likeness.agreed.rawValue
        let new: Mask.Likeness = panels.checkbox("the person agreed", hasAgreed) ? .agreed : .unasked
        panels.hint("The person whose face the mask shows agrees that others wear it")
        if (new == .agreed) != hasAgreed {
            package.change("set \(key)") { $0.manifest[key] = .string(new.rawValue) }
        }
    }

    private func drawPoints(_ panels: Panels) {
        let points = view.points
        points.isSymmetric = panels.checkbox("symmetric (X)", points.isSymmetric)
        panels.hint("Also moves the point, and paints, on the other side of the face")
        points.snaps = panels.checkbox("snap (N)", points.snaps)
        panels.hint("Snaps points to painted edges and the symmetry axis; hold Alt to place a point freely")
        view.showsMesh = panels.checkbox("mesh (M)", view.showsMesh)
        panels.hint("Shows the triangles between the points; folded ones are red")
        panels.sameLine(ifRoomFor: "face (G)")
        let refusal = view.faceRefusal
        panels.disabled(refusal != nil) {
            let isShown = panels.checkbox("face (G)", view.showsFace && refusal == nil)
            if refusal == nil { view.showsFace = isShown }
        }
        panels.hint(refusal ?? "Shows where eyes, nose and mouth will be. The mask itself stays as it is")
        if panels.button("find the face") { placement.find() }
        panels.hint("Places the points on the face that the picture shows")
        panels.sameLine(ifRoomFor: "show all (F)", hasIcon: false)
        if panels.button("show all (F)") { view.showAll() }
        panels.hint("Shows the whole picture. The mouse wheel zooms; the right mouse button moves the picture")
    }

    private func drawProblems(_ panels: Panels) {
        let (problems, others) = (package.reading.problems, package.fileProblems)
        let count = problems.errorCount + problems.warningCount + others.count
        guard count > 0 else { return }
        let hasErrors = problems.errorCount > 0 || others.contains { $0.code.severity == .error }
        panels.section("\(hasErrors ? "Problems" : "Notes") (\(count))", isOpenAtFirst: true) {
            func show(_ problem: MaskProblem, _ text: String) {
                if problem.code.severity == .error { panels.alarm(text) } else { panels.text(text) }
            }
            for problem in problems.listed {
                let isOfMask = [.missingAuthor, .missingLicense].contains(problem.code)
                let text = sentence(problem.reason, at: problem.pointer)
                show(problem, isOfMask ? "\(text) (above, under Mask)" : text)
            }
            for problem in others {
                let file = FilePath(problem.path).name
                if problem.code == .textureEmpty {
                    panels.text("\(file) is empty: paint on it, or choose a picture")
                    continue
                }
                let text = sentence(problem.reason, at: problem.pointer)
                show(problem, problem.place == nil ? "\(file): \(problem.reason)" : text)
            }
        }
    }
}
