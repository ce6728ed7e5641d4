import Display
import FaceGeometry
import JSON
import MaskAuthoring
import Masks

/// All that can be set on the chosen layer.
struct LayerPanel {
    private let package: EditedPackage

    init(_ package: EditedPackage) { self.package = package }

    func draw(_ layer: JSONValue, _ panels: Panels) {
        guard let type = layer.layerType else { return panels.alarm("This layer has no type that is known.") }
        if type == .warp || type == .sticker { drawPicture(layer, type, panels) }
        if type == .sticker { drawSticker(layer, panels) }
        if type == .warp || type == .sticker {
            let blend = BlendMode(rawValue: layer["blend"]?.string ?? "") ?? .normal
            let new = panels.list("blend", BlendMode.allCases.map { ($0.rawValue, $0) }, blend)
            if new != blend { package.setSelected("blend", new == .normal ? nil : .string(new.rawValue)) }
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
        var options = package.pictureNames.map { (label: $0, value: $0) }
        if type == .warp { options += [("the face itself", "/face"), ("another's face", "/swap")] }
        let current = layer["texture"]?.string ?? layer["live"]?.string.map { "/\($0)" } ?? ""
        if layer["animation"] != nil { options.insert(("an animation", ""), at: 0) }
        if !options.contains(where: { $0.value == current }) { options.append((current, current)) }
        let new = panels.list("picture", options, current)
        if let file = layer["texture"]?.string, PaintedTexture.hasLayers(file) {
            let old = layer["textureLayer"]?.string ?? ""
            let name = panels.field("its layer", old)
            panels.hint("which layer of the file; nothing: the one called paint")
            if name != old { package.setSelected("textureLayer", name.isEmpty ? nil : .string(name)) }
        }
        guard new != current, let chosen = package.selection else { return }
        package.change("choose picture") { document in
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
        if new != anchor { package.setSelected("anchor", .string(new.rawValue)) }
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
            package.setSelected("openings", .array(all.filter(changed.contains).map { .string($0.rawValue) }))
        }
    }

    private func drawLight(_ layer: JSONValue, _ panels: Panels) {
        for key in ["shading", "detail", "color"] {
            let old = Float(layer["light"]?[key]?.number ?? 0)
            let new = panels.slider(key == "color" ? "colour" : key, old, in: 0...1, format: "%.2f")
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
            drivenValue(control.rawValue, old, in: -1...1, rest: 0, panels) { value in
                guard let chosen = package.selection else { return }
                package.change("set \(control.rawValue)", edit: "\(chosen) \(control.rawValue)") {
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
        if changed != words {
            package.setSelected("when", changed.isEmpty ? nil : .array(changed.map { .string($0) }))
        }
        let faces = layer["faces"] ?? .string("all")
        let options =
            FaceSelector.names.map { (label: $0.name, value: JSONValue.string($0.name)) }
            + (1...6).map { (label: "number \($0)", value: JSONValue.integer($0)) }
        let whom = panels.list("faces", options, faces)
        if whom != faces { package.setSelected("faces", whom == .string("all") ? nil : whom) }
        let turns = Int(layer["blinks"]?["of"]?.number ?? 1)
        let newTurns = Int(panels.slider("blinks: of", Float(turns), in: 1...12, format: "%.0f").rounded())
        let turn = Int(layer["blinks"]?["is"]?.number ?? 0)
        let newTurn =
            newTurns > 1
            ? Int(panels.slider("blinks: is", Float(turn), in: 0...Float(newTurns - 1), format: "%.0f").rounded()) : 0
        if newTurns != turns || newTurn != turn {
            package.setSelected(
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
        if new != old { package.setSelected(key, new == rest ? nil : .rounded(new)) }
    }

    private func pair(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: (Float, Float), _ panels: Panels
    ) {
        let numbers = value?.elements.compactMap(\.number).map { Float($0) } ?? []
        let old = numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        let new = panels.pair(key, old, speed: 0.005, in: range, format: "%.3f")
        if new != old {
            package.setSelected(key, new == rest ? nil : .array([.rounded(new.0), .rounded(new.1)]))
        }
    }

    private func driven(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float, _ panels: Panels
    ) {
        drivenValue(key, value, in: range, rest: rest, panels) {
            package.setSelected(key, $0 == .number(Double(rest)) ? nil : $0)
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
}
