import Display
import FaceGeometry
import Glibc
import JSON
import MaskAuthoring
import Masks
import SyntheticFaces

/// The editor's lists, switches and questions.
final class EditPanel {
    private unowned let session: EditSession
    private var movesByItself = false
    private let start = ContinuousClock.now
    private var wasClosed = false

    init(_ session: EditSession) { self.session = session }

    private var package: EditedPackage { session.package }
    private var document: MaskDocument { package.history.current }

    // MARK: The side

    func drawSide(_ panels: Panels) {
        panels.itemWidth(-104)
        drawSteps(panels)
        panels.section("Mask") { drawMask(panels) }
        panels.section("Layers", isOpenAtFirst: true) { drawLayers(panels) }
        if let layer = package.selectedLayer {
            panels.section("This layer", isOpenAtFirst: true) { LayerPanel(package).draw(layer, panels) }
        }
        panels.section("Points", isOpenAtFirst: true) {
            session.view.isSymmetric = panels.checkbox("both sides together (X)", session.view.isSymmetric)
            session.view.snaps = panels.checkbox("snap (N; Alt: not now)", session.view.snaps)
            session.view.showsMesh = panels.checkbox("mesh (M)", session.view.showsMesh)
            if panels.button("show all (F)") { session.view.fit() }
        }
        let problems = package.reading.problems
        if !problems.isEmpty {
            panels.section("Problems (\(problems.count))", isOpenAtFirst: true) {
                for problem in problems {
                    let place = problem.pointer.map { "\($0): " } ?? ""
                    let text = "\(place)\(problem.reason)"
                    if problem.code.severity == .error { panels.alarm(text) } else { panels.text(text) }
                }
            }
        }
    }

    private func drawSteps(_ panels: Panels) {
        let history = package.history
        panels.disabled(history.isSaved) { if panels.button("save") { package.save() } }
        panels.hint("Ctrl+S")
        panels.sameLine()
        panels.disabled(history.undoName == nil) { if panels.button("undo") { package.history.undo() } }
        panels.hint(history.undoName.map { "Ctrl+Z: \($0)" } ?? "nothing to undo")
        panels.sameLine()
        panels.disabled(history.redoName == nil) { if panels.button("redo") { package.history.redo() } }
        panels.hint(history.redoName.map { "Ctrl+Shift+Z: \($0)" } ?? "nothing to redo")
        panels.sameLine()
        panels.text(history.isSaved ? "saved" : "not saved")
    }

    private func drawMask(_ panels: Panels) {
        for (key, label) in [("name", "name"), ("author", "author"), ("license", "licence")] {
            let old = document.manifest[key]?.string ?? ""
            let new = panels.field(label, old)
            if new != old {
                package.change("set \(key)", edit: key) {
                    $0.manifest[key] = new.isEmpty && key != "name" ? nil : .string(new)
                }
            }
        }
    }

    // MARK: Layers

    private func drawLayers(_ panels: Panels) {
        for (index, path) in document.layerPaths.enumerated() {
            guard let layer = document[layer: path] else { continue }
            panels.identified(index) {
                panels.indented(Float(14 * (path.count - 1))) {
                    let isShown = layer["hidden"]?.bool != true
                    let shows = panels.checkbox("", isShown)
                    panels.hint("shown or hidden")
                    if shows != isShown {
                        package.change(shows ? "show layer" : "hide layer") {
                            $0[layer: path]?["hidden"] = shows ? nil : .bool(true)
                        }
                    }
                    panels.sameLine()
                    if panels.row(Self.title(layer), isChosen: path == package.selection) {
                        package.selection = path
                    }
                }
            }
        }
        for (label, layer) in newLayers() {
            if panels.button("+ \(label)") {
                package.change("add \(label)") {
                    self.package.selection = $0.insert(layer, above: self.package.selection)
                }
            }
            panels.sameLine()
        }
        panels.text("")
        guard let path = package.selection, let layer = package.selectedLayer else { return }
        for (label, step) in [("up", 1), ("down", -1)] {
            if panels.button(label) {
                package.change("move layer \(label)") { self.package.selection = $0.move(path, by: step) }
            }
            panels.sameLine()
        }
        if panels.button("copy") {
            package.change("copy layer") { self.package.selection = $0.insert(layer, above: path) }
        }
        panels.sameLine()
        if layer.layerType == .group {
            if panels.button("ungroup") { package.change("ungroup") { $0.ungroup(path) } }
        } else if panels.button("group") {
            package.change("group") { $0.group(path) }
        }
        panels.sameLine()
        if panels.button("remove") { package.removeSelected() }
    }

    private func newLayers() -> [(label: String, layer: JSONValue)] {
        let picture = package.pictureNames.first
        let warp: JSONValue =
            picture.map { .object(["type": .string("warp"), "texture": .string($0)]) }
            ?? .object(["type": .string("warp"), "live": .string("face")])
        var result: [(String, JSONValue)] = [("warp", warp)]
        if let picture {
            result.append(
                (
                    "sticker",
                    .object([
                        "type": .string("sticker"), "texture": .string(picture), "anchor": .string("nose"),
                        "width": .number(0.5),
                    ])
                ))
        }
        result.append(("deform", .object(["type": .string("deform"), "controls": .object([:])])))
        return result
    }

    private static func title(_ layer: JSONValue) -> String {
        var words = [layer["type"]?.string ?? "?"]
        if let texture = layer["texture"]?.string { words.append(texture) }
        if layer["animation"] != nil { words.append("animation") }
        if let live = layer["live"]?.string { words.append(live == "swap" ? "another's face" : "the face itself") }
        if let anchor = layer["anchor"]?.string { words.append("at \(anchor)") }
        if let blend = layer["blend"]?.string, blend != "normal" { words.append(blend) }
        return words.joined(separator: " · ")
    }

    // MARK: Who wears it

    func drawModel(_ panels: Panels) {
        panels.itemWidth(-70)
        var options: [(label: String, value: EditModel)] = [
            ("drawn head", .drawn), ("camera", .moving(.camera(nil))),
        ]
        if !options.contains(where: { $0.value == session.model }) {
            options.append((session.model.name, session.model))
        }
        let model = panels.list("worn by", options, session.model)
        if model != session.model {
            do {
                try session.use(model)
            } catch {
                session.messages.say("\(error)", isAlarm: true)
            }
        }
        guard let head = session.source as? DrawnHead else { return }
        var wish = head.wish
        wish.person = panels.list(
            "person", Sample.all.enumerated().map { ($1.name, $0) }, wish.person % Sample.all.count)
        panels.itemWidth(120)
        func slider(_ label: String, _ value: inout Float, _ range: ClosedRange<Float>) {
            value = panels.slider(label, value, in: range, format: range.upperBound > 1 ? "%.0f" : "%.2f")
        }
        slider("turn", &wish.yaw, -50...50)
        panels.sameLine(at: 230)
        slider("mouth", &wish.mouth, 0...1)
        slider("nod", &wish.pitch, -30...30)
        panels.sameLine(at: 230)
        slider("smile", &wish.smile, -1...1)
        slider("tilt", &wish.roll, -45...45)
        panels.sameLine(at: 230)
        slider("brows", &wish.brows, 0...1)
        slider("right eye", &wish.rightEye, 0...1)
        panels.sameLine(at: 230)
        slider("left eye", &wish.leftEye, 0...1)
        movesByItself = panels.checkbox("moves by itself", movesByItself)
        panels.sameLine()
        if panels.button("at rest") {
            movesByItself = false
            wish = HeadWish(person: wish.person, blinks: wish.blinks)
        }
        if movesByItself { Self.move(&wish, at: Float((ContinuousClock.now - start) / .seconds(1))) }
        let isClosed = min(wish.rightEye, wish.leftEye) > 0.6
        if isClosed && !wasClosed { wish.blinks += 1 }
        wasClosed = isClosed
        head.wish = wish
    }

    /// Looks about, talks now and then, blinks.
    private static func move(_ wish: inout HeadWish, at time: Float) {
        wish.yaw = (26 * sin(time * 0.7)).rounded() + 0
        wish.pitch = (8 * sin(time * 0.9)).rounded() + 0
        wish.roll = (7 * sin(time * 0.5)).rounded() + 0
        let word = time.truncatingRemainder(dividingBy: 6)
        wish.mouth = word > 3.5 ? (10 * abs(sin(time * 7)) * 0.8).rounded() / 10 : 0
        let blink: Float = time.truncatingRemainder(dividingBy: 2.8) > 2.6 ? 1 : 0
        (wish.rightEye, wish.leftEye) = (blink, blink)
    }

    // MARK: Questions

    func drawQuestion(_ panels: Panels) {
        guard let question = package.question else { return }
        let text: String
        let answers: (yes: String, no: String)
        switch question {
        case .recover(let content):
            text =
                "There are changes of \(Self.time(content.seconds)) that were not saved: the editor ended before. Shall "
                + "they be taken up?"
            answers = ("take them up", "discard them")
        case .changedOnDisk:
            text =
                "Another program has changed mask.json or the points, and there are changes here that are not saved. "
                + "Which shall count? (What is given up can be brought back with undo.)"
            answers = ("those on disk", "those here")
        case .close:
            text = "There are changes that are not saved."
            answers = ("save and close", "close without saving")
        }
        let (width, height) = panels.windowSize
        panels.area("question", x: width / 2 - 220, y: height / 2 - 60, width: 440, height: 120, isInFront: true) {
            panels.text(text)
            panels.text("")
            if panels.button(answers.yes) { session.answer(true) }
            panels.sameLine()
            if panels.button(answers.no) { session.answer(false) }
            if case .close = question {
                panels.sameLine()
                if panels.button("go on editing") { package.cancelClosing() }
            }
        }
    }

    /// Day and time as the clock on the wall has them.
    private static func time(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
