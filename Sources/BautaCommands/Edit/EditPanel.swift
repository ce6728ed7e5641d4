import Display
import FaceGeometry
import Glibc
import JSON
import LiveMasking
import MaskEditing
import Masks
import SampleFaces

/// The editor's lists, switches and questions.
final class EditPanel {
    private unowned let session: EditSession
    private var movesByItself = false
    private let start = ContinuousClock.now
    private var wasClosed = false

    init(_ session: EditSession) { self.session = session }

    private var document: MaskDocument { session.history.current }

    // MARK: The side

    func drawSide(_ panels: Panels) {
        panels.itemWidth(-104)
        drawSteps(panels)
        panels.section("Mask") { drawMask(panels) }
        panels.section("Layers", isOpenAtFirst: true) { drawLayers(panels) }
        if let layer = session.chosenLayer {
            panels.section("This layer", isOpenAtFirst: true) { drawLayer(layer, panels) }
        }
        panels.section("Points", isOpenAtFirst: true) {
            session.view.isSymmetric = panels.checkbox("both sides together (X)", session.view.isSymmetric)
            session.view.snaps = panels.checkbox("snap (N; Alt: not now)", session.view.snaps)
            session.view.showsMesh = panels.checkbox("mesh (M)", session.view.showsMesh)
            if panels.button("show all (F)") { session.view.fit() }
        }
        let problems = session.reading.problems
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
        let history = session.history
        panels.disabled(history.isSaved) { if panels.button("save") { session.save() } }
        panels.hint("Ctrl+S")
        panels.sameLine()
        panels.disabled(history.undoName == nil) { if panels.button("undo") { session.history.undo() } }
        panels.hint(history.undoName.map { "Ctrl+Z: \($0)" } ?? "nothing to undo")
        panels.sameLine()
        panels.disabled(history.redoName == nil) { if panels.button("redo") { session.history.redo() } }
        panels.hint(history.redoName.map { "Ctrl+Shift+Z: \($0)" } ?? "nothing to redo")
        panels.sameLine()
        panels.text(history.isSaved ? "saved" : "not saved")
    }

    private func drawMask(_ panels: Panels) {
        for (key, label) in [("name", "name"), ("author", "author"), ("license", "licence")] {
            let old = document.manifest[key]?.string ?? ""
            let new = panels.field(label, old)
            if new != old {
                session.change("set \(key)", edit: key) {
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
                        session.change(shows ? "show layer" : "hide layer") {
                            $0[layer: path]?["hidden"] = shows ? nil : .bool(true)
                        }
                    }
                    panels.sameLine()
                    if panels.row(Self.title(layer), isChosen: path == session.chosen) { session.chosen = path }
                }
            }
        }
        for (label, layer) in newLayers() {
            if panels.button("+ \(label)") {
                session.change("add \(label)") { self.session.chosen = $0.insert(layer, above: self.session.chosen) }
            }
            panels.sameLine()
        }
        panels.text("")
        guard let path = session.chosen, let layer = session.chosenLayer else { return }
        for (label, step) in [("up", 1), ("down", -1)] {
            if panels.button(label) {
                session.change("move layer \(label)") { self.session.chosen = $0.move(path, by: step) }
            }
            panels.sameLine()
        }
        if panels.button("copy") {
            session.change("copy layer") { self.session.chosen = $0.insert(layer, above: path) }
        }
        panels.sameLine()
        if Self.type(layer) == .group {
            if panels.button("ungroup") { session.change("ungroup") { $0.ungroup(path) } }
        } else if panels.button("group") {
            session.change("group") { $0.group(path) }
        }
        panels.sameLine()
        if panels.button("remove") { removeChosen() }
    }

    func removeChosen() {
        // A mask has at least one layer, and so has a group.
        guard let path = session.chosen else { return }
        let parent = Array(path.dropLast())
        let siblings = (parent.isEmpty ? document.manifest : document[layer: parent])?["layers"]?.elements.count ?? 0
        guard siblings > 1 else { return }
        session.change("remove layer") { $0.remove(path) }
        session.chosen = parent + [max(0, (path.last ?? 0) - 1)]
    }

    private func newLayers() -> [(label: String, layer: JSONValue)] {
        let picture = session.pictureNames.first
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

    private static func type(_ layer: JSONValue) -> LayerReader.LayerType? {
        layer["type"]?.string.flatMap(LayerReader.LayerType.init)
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

    // MARK: One layer

    private func drawLayer(_ layer: JSONValue, _ panels: Panels) {
        guard let type = Self.type(layer) else { return panels.alarm("This layer has no type that is known.") }
        if type == .warp || type == .sticker { drawPicture(layer, type, panels) }
        if type == .sticker { drawSticker(layer, panels) }
        if type == .warp || type == .sticker {
            let blend = BlendMode(rawValue: layer["blend"]?.string ?? "") ?? .normal
            let new = panels.list("blend", BlendMode.allCases.map { ($0.rawValue, $0) }, blend)
            if new != blend { session.setChosen("blend", new == .normal ? nil : .string(new.rawValue)) }
        }
        if type != .deform { driven("opacity", layer["opacity"], in: 0...1, rest: 1, panels) }
        if type == .warp { drawEdge(layer, panels) }
        if type == .deform { drawControls(layer, panels) }
        if type == .warp || type == .sticker {
            panels.section("Light") { drawLight(layer, panels) }
        }
        panels.section("When and for whom") { drawConditions(layer, panels) }
    }

    private func drawPicture(_ layer: JSONValue, _ type: LayerReader.LayerType, _ panels: Panels) {
        var options = session.pictureNames.map { (label: $0, value: $0) }
        if type == .warp { options += [("the face itself", "/face"), ("another's face", "/swap")] }
        let current = layer["texture"]?.string ?? layer["live"]?.string.map { "/\($0)" } ?? ""
        if layer["animation"] != nil { options.insert(("an animation", ""), at: 0) }
        if !options.contains(where: { $0.value == current }) { options.append((current, current)) }
        let new = panels.list("picture", options, current)
        if let file = layer["texture"]?.string, file.hasSuffix(".ora") || file.hasSuffix(".svg") {
            let old = layer["textureLayer"]?.string ?? ""
            let name = panels.field("its layer", old)
            panels.hint("which layer of the file; nothing: the one called paint")
            if name != old { session.setChosen("textureLayer", name.isEmpty ? nil : .string(name)) }
        }
        guard new != current, let chosen = session.chosen else { return }
        session.change("choose picture") { document in
            guard var layer = document[layer: chosen] else { return }
            layer["animation"] = nil
            if new.hasPrefix("/") {
                layer["texture"] = nil
                layer["textureLayer"] = nil
                layer["landmarks"] = nil
                layer["live"] = .string(String(new.dropFirst()))
            } else {
                layer["live"] = nil
                layer["textureLayer"] = nil
                layer["texture"] = .string(new)
            }
            document[layer: chosen] = layer
        }
    }

    private func drawSticker(_ layer: JSONValue, _ panels: Panels) {
        let anchor = StickerLayer.Anchor(rawValue: layer["anchor"]?.string ?? "") ?? .nose
        let new = panels.list("anchor", StickerLayer.Anchor.allCases.map { ($0.rawValue, $0) }, anchor)
        if new != anchor { session.setChosen("anchor", .string(new.rawValue)) }
        slider("width", layer["width"], in: 0.01...3, rest: nil, panels)
        pair("offset", layer["offset"], in: -3...3, rest: (0, 0), panels)
        slider("angle", layer["angle"], in: -180...180, rest: 0, panels)
        pair("center", layer["center"], in: -2...3, rest: (0.5, 0.5), panels)
    }

    private func drawEdge(_ layer: JSONValue, _ panels: Panels) {
        slider("feather", layer["feather"], in: 0...0.16, rest: WarpLayer.defaultFeather, panels)
        let all = FaceMesh.Opening.allCases
        let given = layer["openings"]?.elements.compactMap { $0.string.flatMap(FaceMesh.Opening.init) }
        let open = Set(given ?? (layer["live"] == nil ? all : []))
        var changed = open
        for opening in all {
            if panels.checkbox("open \(opening.rawValue)", open.contains(opening)) {
                changed.insert(opening)
            } else {
                changed.remove(opening)
            }
            if opening != all.last { panels.sameLine() }
        }
        if changed != open {
            session.setChosen("openings", .array(all.filter(changed.contains).map { .string($0.rawValue) }))
        }
    }

    private func drawLight(_ layer: JSONValue, _ panels: Panels) {
        for key in ["shading", "detail", "color"] {
            let old = Float(layer["light"]?[key]?.number ?? 0)
            let new = panels.slider(key == "color" ? "colour" : key, old, in: 0...1, format: "%.2f")
            if new != old, let chosen = session.chosen {
                session.change("set light", edit: "\(chosen) light \(key)") { document in
                    var light = document[layer: chosen]?["light"] ?? .object([:])
                    light[key] = new == 0 ? nil : .rounded(new)
                    document[layer: chosen]?["light"] = light == .object([:]) ? nil : light
                }
            }
        }
    }

    private func drawControls(_ layer: JSONValue, _ panels: Panels) {
        for control in Deformation.Control.allCases {
            let old = layer["controls"]?[control.rawValue]
            drivenValue(control.rawValue, old, in: -1...1, rest: 0, panels) { value in
                guard let chosen = self.session.chosen else { return }
                self.session.change("set \(control.rawValue)", edit: "\(chosen) \(control.rawValue)") {
                    $0[layer: chosen]?["controls"]?[control.rawValue] = value == .number(0) ? nil : value
                }
            }
        }
    }

    private func drawConditions(_ layer: JSONValue, _ panels: Panels) {
        let words = layer["when"]?.elements.compactMap(\.string) ?? []
        var changed = words
        for (name, _) in Condition.names where name != "faceFound" {
            let current = words.contains(name) ? 1 : words.contains("not \(name)") ? -1 : 0
            let new = panels.list(name, [("always", 0), ("only then", 1), ("only when not", -1)], current)
            if new != current {
                changed.removeAll { $0 == name || $0 == "not \(name)" }
                if new != 0 { changed.append(new > 0 ? name : "not \(name)") }
            }
        }
        if changed != words { session.setChosen("when", changed.isEmpty ? nil : .array(changed.map { .string($0) })) }
        let faces = layer["faces"] ?? .string("all")
        let options =
            WearerChoice.names.map { (label: $0.name, value: JSONValue.string($0.name)) }
            + (1...6).map { (label: "number \($0)", value: JSONValue.integer($0)) }
        let whom = panels.list("faces", options, faces)
        if whom != faces { session.setChosen("faces", whom == .string("all") ? nil : whom) }
        let turns = Int(layer["blinks"]?["of"]?.number ?? 1)
        let newTurns = Int(panels.slider("blinks: of", Float(turns), in: 1...12, format: "%.0f").rounded())
        let turn = Int(layer["blinks"]?["is"]?.number ?? 0)
        let newTurn =
            newTurns > 1
            ? Int(panels.slider("blinks: is", Float(turn), in: 0...Float(newTurns - 1), format: "%.0f").rounded()) : 0
        if newTurns != turns || newTurn != turn {
            session.setChosen(
                "blinks",
                newTurns < 2 ? nil : .object(["of": .integer(newTurns), "is": .integer(min(newTurn, newTurns - 1))]))
        }
    }

    // MARK: Numbers

    /// - Parameter rest: what is meant where nothing is said; nil: something must be said.
    private func slider(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float?, _ panels: Panels
    ) {
        let old = value?.number.map { Float($0) } ?? rest ?? range.lowerBound
        let new = panels.slider(key, old, in: range, format: range.upperBound > 100 ? "%.0f" : "%.3f")
        if new != old { session.setChosen(key, new == rest ? nil : .rounded(new)) }
    }

    private func pair(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: (Float, Float), _ panels: Panels
    ) {
        let numbers = value?.elements.compactMap(\.number).map { Float($0) } ?? []
        let old = numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        let new = panels.pair(key, old, speed: 0.005, in: range, format: "%.3f")
        if new != old { session.setChosen(key, new == rest ? nil : .array([.rounded(new.0), .rounded(new.1)])) }
    }

    private func driven(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float, _ panels: Panels
    ) {
        drivenValue(key, value, in: range, rest: rest, panels) {
            self.session.setChosen(key, $0 == .number(Double(rest)) ? nil : $0)
        }
    }

    /// A number, or what drives it.
    private func drivenValue(
        _ label: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float, _ panels: Panels,
        set: (JSONValue) -> Void
    ) {
        let signal = value?["by"]?.string ?? ""
        if signal.isEmpty {
            let old = value?.number.map { Float($0) } ?? rest
            let new = panels.slider(label, old, in: range, format: "%.2f")
            if new != old { set(.rounded(new)) }
            panels.sameLine()
        }
        let signals = [("fixed", "")] + ExpressionSignals.Name.allCases.map { ("by \($0.rawValue)", $0.rawValue) }
        var chosen = signal
        if signal.isEmpty {
            if panels.smallButton("~##\(label)") { chosen = ExpressionSignals.Name.mouthOpening.rawValue }
            panels.hint("let the face drive it")
        } else {
            chosen = panels.list(label, signals, signal)
        }
        if chosen != signal {
            return set(chosen.isEmpty ? .number(Double(rest)) : .object(["by": .string(chosen)]))
        }
        guard !signal.isEmpty, let value else { return }
        func numbers(_ key: String, _ rest: (Float, Float)) -> (Float, Float) {
            let numbers = value[key]?.elements.compactMap(\.number).map { Float($0) } ?? []
            return numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        }
        let from = numbers("from", (0, 1))
        let to = numbers("to", (max(0, range.lowerBound), range.upperBound))
        panels.indented(12) {
            let newFrom = panels.pair("from##\(label)", from, speed: 0.005, in: -1...1, format: "%.2f")
            let newTo = panels.pair("to##\(label)", to, speed: 0.005, in: range, format: "%.2f")
            guard newFrom != from || newTo != to, newFrom.0 < newFrom.1 else { return }
            var new = value
            new["from"] = .array([.rounded(newFrom.0), .rounded(newFrom.1)])
            new["to"] = .array([.rounded(newTo.0), .rounded(newTo.1)])
            set(new)
        }
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
        guard let question = session.question else { return }
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
                if panels.button("go on editing") { session.cancelQuestion() }
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
