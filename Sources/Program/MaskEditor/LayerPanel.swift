import Display
import FaceGeometry
import Files
import GLTF
import JSON
import MaskAuthoring
import Masks

/// The settings of the selected layer.
struct LayerPanel {
    let package: EditedPackage
    private let chooser: FileChooser
    private let placement: FacePlacement
    private let messages: WindowMessages
    /// Stands for a file that is to be chosen; no name in a package begins with a slash.
    private static let fromFile = "/file"

    init(_ package: EditedPackage, chooser: FileChooser, placement: FacePlacement, messages: WindowMessages) {
        self.package = package
        self.placement = placement
        self.chooser = chooser
        self.messages = messages
    }

    func draw(_ layer: JSONValue, _ panels: Panels) {
        guard let type = layer.layerType else { return panels.alarm("This layer has no known type.") }
        if let lack = placement.lack(of: type) { panels.alarm(lack) }
        if type == .background { return drawBackground(layer, panels) }
        if [.warp, .makeup, .sticker].contains(type) { drawPicture(layer, type, panels) }
        if type == .makeup { drawMakeup(layer, panels) }
        if type == .hair { drawColor(layer, panels, hint: "Of the hair: # and six hexadecimal digits") }
        if type == .comic { drawComic(layer, panels) }
        if type == .sticker { drawSticker(layer, panels) }
        if type == .prop { drawProp(layer, panels) }
        if LayerReader.keys(of: type).contains("blend") {
            let blend = BlendMode(rawValue: layer["blend"]?.string ?? "") ?? .normal
            let new = panels.list("blend", BlendMode.allCases.map { (wording($0.rawValue), $0) }, blend)
            if new != blend { package.setSelected("blend", new == .normal ? nil : .string(new.rawValue)) }
        }
        if type != .deform { driven("opacity", layer["opacity"], in: 0...1, rest: 1, panels) }
        if type == .warp || type == .makeup { drawEdge(layer, panels) }
        if type == .deform { drawControls(layer, panels) }
        if type == .warp || type == .sticker {
            panels.section("Light") { drawLight(layer, panels) }
        }
        panels.section("Conditions") {
            panels.text("The layer is shown only where all of this holds:")
            panels.labelled(width: 8.2) {
                drawConditions(layer, panels)
                drawFaces(layer, panels)
                drawBlinks(layer, panels)
            }
        }
    }

    private func drawPicture(_ layer: JSONValue, _ type: LayerReader.LayerType, _ panels: Panels) {
        var options = package.pictureNames.map { (label: $0, value: $0) }
        if type == .warp { options += [("The face itself", "/face"), ("Another's face", "/swap")] }
        let current = layer["texture"]?.string ?? layer["live"]?.string.map { "/\($0)" } ?? ""
        options.append(("Choose a file ...", Self.fromFile))
        if layer["animation"] != nil { options.insert(("An animation", ""), at: 0) }
        if !options.contains(where: { $0.value == current }) { options.append((current, current)) }
        let new = panels.list("picture", options, current)
        if let file = layer["texture"]?.string, PaintedTexture.hasLayers(FilePath(file)) {
            let old = layer["textureLayer"]?.string ?? ""
            let name = panels.field("file layer", old)
            panels.hint("The layer of the file to use; empty: paint")
            if name != old { package.setSelected("textureLayer", name.isEmpty ? nil : .string(name)) }
        }
        if package.canSeparateLayers {
            if panels.button("separate the file's layers") { separateLayers() }
            panels.hint("Makes a layer of the mask of each layer of the file, with its name, opacity and blend mode")
        }
        guard new != current, let chosen = package.selection else { return }
        if new == Self.fromFile {
            chooser.open(
                .texture(title: "Picture of the layer", of: package) { name in
                    set(picture: name, of: chosen)
                    if type == .warp { placement.expect(name) }
                })
        } else {
            set(picture: new, of: chosen)
        }
    }

    private func separateLayers() {
        do {
            try package.separateLayers()
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    /// - Parameter new: a file's name in the package; "/face" or "/swap" for what is live.
    private func set(picture new: String, of chosen: MaskDocument.LayerPath) {
        package.change("choose picture") { document in
            guard var layer = document[layer: chosen] else { return }
            layer["animation"] = nil
            layer["alone"] = nil
            if new.utf8.first == UInt8(ascii: "/") {
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

    private func drawColor(_ layer: JSONValue, _ panels: Panels, hint: String) {
        let old = layer["color"]?.string ?? ""
        let color = panels.color("colour", old, hint: "\(hint). The patch beside it opens a picker")
        if color != old { package.setSelected("color", color.isEmpty ? nil : .string(color)) }
    }

    private func drawMakeup(_ layer: JSONValue, _ panels: Panels) {
        drawColor(
            layer, panels,
            hint: "Of the pigment on skin: # and six hexadecimal digits, or nothing. On bright paint it is lighter")
        slider("gloss", layer["gloss"], in: -1...1, rest: 0, panels)
        slider("smoothing", layer["smoothing"], in: 0...1, rest: 0, panels)
        slider("brightening", layer["brightening"], in: 0...1, rest: 0, panels)
    }

    private func drawComic(_ layer: JSONValue, _ panels: Panels) {
        let usual = Comic()
        func number(_ key: String, in range: ClosedRange<Double>, _ usual: Float) {
            slider(key, layer[key], in: Float(range.lowerBound)...Float(range.upperBound), rest: usual, panels)
        }
        number("levels", in: Comic.levelRange, usual.levels)
        number("lines", in: Comic.lineRange, usual.lines)
        number("smoothing", in: 0...1, usual.smoothing)
        drawColor(layer, panels, hint: "Of the ink: # and six hexadecimal digits, or nothing")
    }

    /// What is behind people: no picture of a package has a name that begins with a slash.
    private func drawBackground(_ layer: JSONValue, _ panels: Panels) {
        var options = [(label: "Blurred", value: "/blur"), (label: "A colour", value: "/color")]
        options += package.pictureNames.map { (label: $0, value: $0) }
        let current = layer["texture"]?.string ?? (layer["color"] == nil ? "/blur" : "/color")
        options.append(("Choose a file ...", Self.fromFile))
        if !options.contains(where: { $0.value == current }) { options.append((current, current)) }
        let new = panels.list("behind people", options, current)
        if layer["color"] != nil { drawColor(layer, panels, hint: "Behind people: # and six hexadecimal digits") }
        guard new != current, let chosen = package.selection else { return }
        if new == Self.fromFile {
            chooser.open(
                .texture(title: "Picture behind people", of: package) { name in
                    set(background: .string(name), "texture", of: chosen)
                })
        } else if new == "/blur" {
            set(background: .bool(true), "blur", of: chosen)
        } else if new == "/color" {
            set(background: .string("#00ff00"), "color", of: chosen)
        } else {
            set(background: .string(new), "texture", of: chosen)
        }
    }

    private func set(background value: JSONValue, _ key: String, of chosen: MaskDocument.LayerPath) {
        package.change("choose background") { document in
            guard var layer = document[layer: chosen], layer.layerType == .background else { return }
            for key in ["blur", "color", "texture", "textureLayer"] { layer[key] = nil }
            layer[key] = value
            document[layer: chosen] = layer
        }
    }

    private func drawSticker(_ layer: JSONValue, _ panels: Panels) {
        drawAnchor(layer, among: StickerLayer.Anchor.allCases, panels)
        slider("width", layer["width"], in: 0.01...3, rest: nil, panels)
        pair("offset", layer["offset"], in: -3...3, rest: (0, 0), panels)
        slider("depth", layer["depth"], in: -3...3, rest: 0, panels)
        slider("angle", layer["angle"], in: -180...180, rest: 0, panels)
        pair("center", layer["center"], in: -2...3, rest: (0.5, 0.5), panels)
    }

    private func drawProp(_ layer: JSONValue, _ panels: Panels) {
        drawAnchor(layer, among: StickerLayer.Anchor.allCases.filter { !$0.isPupil }, panels)
        slider("width", layer["width"], in: 0.01...3, rest: nil, panels)
        triple("position", ["right", "down", "forward"], layer["position"], in: -3...3, panels)
        triple("rotation", ["nod", "turn", "tilt"], layer["rotation"], in: -180...180, panels)
        slider("shadow", layer["shadow"], in: 0...1, rest: PropLayer.defaultShadow, panels)
        if let rig = package.selectedModel?.rig, !rig.animations.isEmpty {
            panels.section("Animations", isOpenAtFirst: true) { drawAnimations(rig, layer, panels) }
        }
    }

    /// Which animations of the model the layer plays, and what moves them.
    private func drawAnimations(_ rig: ModelRig, _ layer: JSONValue, _ panels: Panels) {
        let played = layer["animations"]?.elements ?? []
        var changed = played
        for (number, animation) in rig.animations.enumerated() {
            panels.identified(number) {
                let index = played.firstIndex { $0["name"]?.string == animation.name }
                let isPlayed = panels.checkbox("", index != nil)
                panels.hint("Whether the layer plays this animation")
                panels.sameLine()
                panels.text(String(animation.name.prefix(60)))
                if isPlayed, index == nil { changed.append(.object(["name": .string(animation.name)])) }
                guard let index else { return }
                if isPlayed {
                    panels.indented(12) { drawPosition(&changed[index], panels) }
                } else {
                    changed.remove(at: index)
                }
            }
        }
        if changed != played { package.setSelected("animations", changed.isEmpty ? nil : .array(changed)) }
    }

    /// What moves an animation: time, or a signal.
    private func drawPosition(_ animation: inout JSONValue, _ panels: Panels) {
        let position = animation["position"]
        let (inALoop, atOnePlace) = ("", "/place")
        let signals = ExpressionSignals.Name.allCases.map {
            (label: "By \(wording($0.rawValue).lowercased())", value: $0.rawValue)
        }
        let current = position?["by"]?.string ?? (position == nil ? inALoop : atOnePlace)
        let new = panels.list("moves", [("In a loop", inALoop), ("At one place", atOnePlace)] + signals, current)
        panels.hint("What moves this part: time, nothing, or a facial expression or a sound")
        if new != current {
            animation["position"] =
                new == inALoop ? nil : new == atOnePlace ? .number(0) : .object(["by": .string(new)])
        } else if current == atOnePlace {
            let old = Float(position?.number ?? 0)
            let place = panels.slider("place", old, in: 0...1, format: "%.2f")
            if place != old { animation["position"] = .rounded(place) }
        } else if current != inALoop {
            let numbers = position?["from"]?.elements.compactMap(\.number).map { Float($0) } ?? []
            let old: (Float, Float) = numbers.count == 2 ? (numbers[0], numbers[1]) : (0, 1)
            let from = panels.pair("from, to", old, speed: 0.005, in: -1...1, format: "%.2f")
            panels.hint("The values of the signal at the animation's first and last key")
            if from != old, from.0 < from.1 {
                animation["position"]?["from"] = .array([.rounded(from.0), .rounded(from.1)])
            }
        }
    }

    private func drawAnchor(_ layer: JSONValue, among anchors: [StickerLayer.Anchor], _ panels: Panels) {
        let anchor = StickerLayer.Anchor(rawValue: layer["anchor"]?.string ?? "") ?? .nose
        let new = panels.list("anchor", anchors.map { (wording($0.rawValue), $0) }, anchor)
        panels.hint("The point of the face that it moves with")
        if new != anchor { package.setSelected("anchor", .string(new.rawValue)) }
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
            if opening != all.last { panels.sameLine(ifRoomFor: "open mouth") }
        }
        if changed != open {
            package.setSelected("openings", .array(all.filter(changed.contains).map { .string($0.rawValue) }))
        }
    }

    private func drawLight(_ layer: JSONValue, _ panels: Panels) {
        for key in ["shading", "detail", "color"] {
            let old = Float(layer["light"]?[key]?.number ?? 0)
            let new = panels.slider(wording(key), old, in: 0...1, format: "%.2f")
            if let text = lightExplanations[key] { panels.hint(text) }
            if new != old, let chosen = package.selection {
                package.change("set light", edit: "\(chosen) light \(key)") { document in
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
            drivenValue(wording(control.rawValue), old, in: -1...1, rest: 0, panels) { value in
                guard let chosen = package.selection else { return }
                package.change("set \(control.rawValue)", edit: "\(chosen) \(control.rawValue)") {
                    $0[layer: chosen]?["controls"]?[control.rawValue] = value == .number(0) ? nil : value
                }
            }
        }
    }
}
