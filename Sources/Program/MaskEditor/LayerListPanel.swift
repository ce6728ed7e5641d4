import Display
import JSON
import MaskAuthoring

/// The mask's layers, with buttons to add, move, group and remove them.
struct LayerListPanel {
    private let package: EditedPackage
    private let chooser: FileChooser

    init(_ package: EditedPackage, chooser: FileChooser) {
        self.package = package
        self.chooser = chooser
    }

    func draw(_ panels: Panels) {
        let document = package.history.current
        for (index, path) in document.layerPaths.enumerated() {
            guard let layer = document[layer: path] else { continue }
            panels.identified(index) {
                panels.indented(Float(14 * (path.count - 1))) { drawRow(layer, path, panels) }
            }
        }
        // Four buttons find room in a row without the icon before each.
        let picture = package.pictureNames.first
        let warp = picture.map { JSONValue.Member("texture", .string($0)) } ?? .init("live", .string("face"))
        add("warp", "A picture painted on the face that moves with it", [warp], panels)
        panels.sameLine()
        add(
            "deform", "Changes the shape of the face under the layers above it: larger eyes, a smaller nose",
            [.init("controls", .object([:]))],
            panels)
        panels.sameLine()
        if panels.button("+ Sticker") { chooseSticker() }
        panels.hint("A picture that stands on the face: choose its file")
        panels.sameLine()
        if panels.button("+ Prop") { chooseProp() }
        panels.hint("A 3-D model on the head, such as a hat: choose its glTF file")
        if let path = package.selection, let layer = package.selectedLayer {
            drawButtons(layer, path, panels)
            panels.sameLine()
        }
        if panels.button("+ Makeup") { chooseMakeup() }
        panels.hint(
            "Colours, smooths or brightens the skin: choose a picture, painted like a mask, that is opaque where it does"
        )
        addOnly(
            "background", "Blurs or replaces what is behind people while the mask is on",
            .init("blur", .bool(true)), panels)
        panels.sameLine(ifRoomFor: "+ Hair")
        addOnly("hair", "Dyes the hair around the face", .init("color", .string("#7d3c98")), panels)
        panels.sameLine(ifRoomFor: "+ Comic")
        addOnly("comic", "Draws the whole picture as a comic", .init("lines", .number(1)), panels)
    }

    /// A button that adds a layer of which a mask has one at most.
    private func addOnly(_ type: String, _ hint: String, _ member: JSONValue.Member, _ panels: Panels) {
        let document = package.history.current
        let isThere = document.layerPaths.contains { document[layer: $0]?["type"]?.string == type }
        panels.disabled(isThere) {
            if panels.button("+ \(wording(type))") {
                let layer = JSONValue.object([.init("type", .string(type)), member])
                package.change("add \(type)") { package.selection = $0.insert(layer, above: nil) }
            }
        }
        panels.hint(isThere ? "The mask has one" : hint)
    }

    private func drawRow(_ layer: JSONValue, _ path: MaskDocument.LayerPath, _ panels: Panels) {
        let isShown = layer["hidden"]?.bool != true
        let shows = panels.checkbox("", isShown)
        panels.hint("Shown or hidden")
        if shows != isShown {
            package.change(shows ? "show layer" : "hide layer") {
                $0[layer: path]?["hidden"] = shows ? nil : .bool(true)
            }
        }
        panels.sameLine()
        let error = package.errors(of: path).first
        let (title, isChosen) = (Self.title(layer), path == package.selection)
        if panels.row(0, title, isChosen: isChosen, isAlarm: error != nil) { package.selection = path }
        if let error { panels.hint(sentence(error.reason)) }
    }

    private func drawButtons(_ layer: JSONValue, _ path: MaskDocument.LayerPath, _ panels: Panels) {
        for (label, icon, step) in [("up", Icon.up, 1), ("down", .down, -1)] {
            if panels.button(icon, label) {
                package.change("move layer \(label)") { package.selection = $0.move(path, by: step) }
            }
            panels.hint("Move the layer \(label)")
            panels.sameLine()
        }
        if panels.button(.copy, "copy") {
            package.change("copy layer") { package.selection = $0.insert(layer, above: path) }
        }
        panels.hint("Copy the layer")
        panels.sameLine()
        if layer.layerType == .group {
            if panels.button(.ungroup, "ungroup") { package.change("ungroup") { $0.ungroup(path) } }
            panels.hint("Take the layers out of the group")
        } else {
            if panels.button(.group, "group") { package.change("group") { $0.group(path) } }
            panels.hint("Put the layer into a group")
        }
        panels.sameLine()
        if panels.button(.remove, "remove") { package.removeSelected() }
        panels.hint("Remove the layer (Delete)")
    }

    /// A button that adds a layer.
    private func add(_ type: String, _ hint: String, _ members: [JSONValue.Member], _ panels: Panels) {
        let isPressed = panels.button("+ \(wording(type))")
        panels.hint(hint)
        guard isPressed else { return }
        let layer = JSONValue.object([.init("type", .string(type))] + members)
        package.change("add \(type)") { document in
            // A deformation changes what lies above it.
            let isBelow = layer.layerType == .deform
            package.selection =
                isBelow
                ? document.insert(layer, below: package.selection)
                : document.insert(layer, above: package.selection)
        }
    }

    private func chooseSticker() {
        let package = package
        chooser.open(
            .texture(title: "Picture of the sticker", of: package) { name in
                let sticker = JSONValue.object([
                    "type": .string("sticker"), "texture": .string(name), "anchor": .string("nose"),
                    "width": .number(0.5),
                ])
                package.change("add sticker") { package.selection = $0.insert(sticker, above: package.selection) }
            })
    }

    private func chooseMakeup() {
        let package = package
        chooser.open(
            .texture(title: "Picture that is opaque where the make-up is", of: package) { name in
                let makeup = JSONValue.object([
                    "type": .string("makeup"), "texture": .string(name), "smoothing": .number(0.5),
                ])
                package.change("add makeup") { package.selection = $0.insert(makeup, above: package.selection) }
            })
    }

    private func chooseProp() {
        let package = package
        chooser.open(
            .model(of: package) { name, model in
                let prop = PropPlacement.layer(for: model, file: name)
                package.change("add prop") { package.selection = $0.insert(prop, above: package.selection) }
            })
    }

    private static func title(_ layer: JSONValue) -> String {
        var words = [wording(layer["type"]?.string ?? "?")]
        for key in ["texture", "model"] { if let file = layer[key]?.string { words.append(file) } }
        if let part = layer["textureLayer"]?.string { words.append(part) }
        if layer["animation"] != nil { words.append("animation") }
        if let live = layer["live"]?.string { words.append(live == "swap" ? "another's face" : "the face itself") }
        if let anchor = layer["anchor"]?.string { words.append("at the \(wording(anchor).lowercased())") }
        if let blend = layer["blend"]?.string, blend != "normal" { words.append(wording(blend).lowercased()) }
        return words.joined(separator: " · ")
    }
}
