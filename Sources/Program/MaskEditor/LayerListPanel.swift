import Display
import Files
import JSON
import MaskAuthoring

/// The mask's layers, with buttons to add, move, group and remove them.
struct LayerListPanel {
    private let package: EditedPackage
    private let chooser: FileChooser
    private let view: TextureView
    private let placement: FacePlacement
    private let messages: WindowMessages

    init(
        _ package: EditedPackage, view: TextureView, chooser: FileChooser, placement: FacePlacement,
        messages: WindowMessages
    ) {
        (self.package, self.view, self.chooser) = (package, view, chooser)
        (self.placement, self.messages) = (placement, messages)
    }

    func draw(_ panels: Panels) {
        // Above the list, which grows.
        drawAdding(panels)
        drawButtons(panels)
        let document = package.history.current
        let rows = document.layerPaths.compactMap { path in document[layer: path].map { (path, layer: $0) } }
        let order = numbers(ofEqual: rows.map { Self.title($0.layer) })
        for (index, (path, layer)) in rows.enumerated() {
            let title = Self.title(layer, number: order[index])
            panels.identified(index) {
                panels.indented(Float(14 * (path.count - 1))) { drawRow(layer, title, path, panels) }
            }
        }
    }

    private func drawAdding(_ panels: Panels) {
        // Three in a row, whether the panel scrolls or not: they stay under the mouse.
        if panels.button("+ Paint") { addPaint() }
        panels.hint("An empty picture on the face, and the brush to paint on it")
        panels.sameLine(ifRoomFor: "+ Picture", hasIcon: false)
        if panels.button("+ Picture") { choosePicture() }
        panels.hint(
            "A picture on the face that moves with it: choose its file. Of a photograph, the points are placed on its "
                + "face")
        panels.sameLine(ifRoomFor: "+ Sticker", hasIcon: false)
        if panels.button("+ Sticker") { chooseSticker() }
        panels.hint("A picture that stands on the face: choose its file")
        if panels.button("+ Prop") { chooseProp() }
        panels.hint("A 3-D model on the head, such as a hat: choose its glTF file, or one of Bauta's masks")
        panels.sameLine(ifRoomFor: "+ Make-up", hasIcon: false)
        if panels.button("+ Make-up") { chooseMakeup() }
        panels.hint(
            "Colours, smooths or brightens the skin where a picture is opaque: choose one of Bauta's, or your own"
        )
        panels.sameLine(ifRoomFor: "+ Hair", hasIcon: false)
        addOnly("hair", "Dyes the hair around the face", .init("color", .string("#7d3c98")), panels)
        add(
            "deform", "Changes the shape of the face under the layers above it: larger eyes, a smaller nose",
            [.init("controls", .object([:]))],
            panels)
        panels.sameLine(ifRoomFor: "+ Background", hasIcon: false)
        addOnly(
            "background", "Blurs or replaces what is behind people while the mask is on",
            .init("blur", .bool(true)), panels)
        panels.sameLine(ifRoomFor: "+ Comic", hasIcon: false)
        addOnly(
            "comic",
            "Draws what the camera sees, faces too, in flat colours and ink lines. All other layers lie over it as they are, "
                + "wherever it is in the list", .init("lines", .number(1)), panels)
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
        let lack = placement.lack(of: JSONValue.object([.init("type", .string(type)), member]).layerType)
        panels.hint(isThere ? "The mask has one" : [hint, lack].compactMap { $0 }.joined(separator: ". "))
    }

    private func drawRow(_ layer: JSONValue, _ title: String, _ path: MaskDocument.LayerPath, _ panels: Panels) {
        let isShown = layer["hidden"]?.bool != true
        let shows = panels.checkbox("", isShown)
        panels.hint("Shown or hidden")
        if shows != isShown {
            package.change(shows ? "show layer" : "hide layer") {
                $0[layer: path]?["hidden"] = shows ? nil : .bool(true)
            }
        }
        panels.sameLine()
        let trouble = package.errors(of: path).first.map { sentence($0.reason) } ?? placement.lack(of: layer.layerType)
        if panels.row(0, title, isChosen: path == package.selection, isAlarm: trouble != nil) {
            package.selection = path
        }
        if let trouble { panels.hint(trouble) }
    }

    /// What can be done to the selected layer.
    private func drawButtons(_ panels: Panels) {
        let layer = package.selectedLayer
        panels.disabled(layer == nil) {
            for (label, icon, step) in [("up", Icon.up, 1), ("down", .down, -1)] {
                let isPressed = panels.button(icon, label)
                panels.hint("Move the layer \(label)")
                change("move layer \(label)", if: isPressed) { document, path in
                    package.selection = document.move(path, by: step)
                }
                panels.sameLine()
            }
            if panels.button("copy") { copyLayer() }
            panels.hint("Copy the layer, with what is painted on it")
            panels.sameLine(ifRoomFor: "ungroup", hasIcon: false)
            if layer?.layerType == .group {
                button("ungroup", "Take the layers out of the group", "ungroup", panels) { $0.ungroup($1) }
            } else {
                button("group", "Put the layer into a group", "group", panels) { $0.group($1) }
            }
            panels.sameLine(ifRoomFor: "remove", hasIcon: false)
            if panels.button("remove") { package.removeSelected() }
            panels.hint("Remove the layer (Delete)")
        }
    }

    /// A button that changes the selected layer.
    /// - Parameter name: of the change, for undo.
    private func button(
        _ label: String, _ hint: String, _ name: String, _ panels: Panels,
        change: (inout MaskDocument, MaskDocument.LayerPath) -> Void
    ) {
        let isPressed = panels.button(label)
        panels.hint(hint)
        self.change(name, if: isPressed, change)
    }

    private func change(
        _ name: String, if isPressed: Bool, _ change: (inout MaskDocument, MaskDocument.LayerPath) -> Void
    ) {
        guard isPressed, let path = package.selection else { return }
        package.change(name) { change(&$0, path) }
    }

    /// A button that adds a layer.
    private func add(_ type: String, _ hint: String, _ members: [JSONValue.Member], _ panels: Panels) {
        let isPressed = panels.button("+ \(wording(type))")
        panels.hint(hint)
        guard isPressed else { return }
        let layer = JSONValue.object([.init("type", .string(type))] + members)
        package.change("add \(type)") { document in
            package.selection =
                layer.layerType == .deform
                ? document.insert(layer, below: document.deformed(with: package.selection))
                : document.insert(layer, inSightAt: package.selection)
        }
    }

    private func copyLayer() {
        do {
            try package.copySelected()
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    private func choosePicture() {
        let (package, placement) = (package, placement)
        chooser.open(
            .texture(title: "Picture on the face", of: package) { name in
                Self.addPicture(name, "add picture", to: package)
                placement.expect(name)
            })
    }

    private static func addPicture(_ picture: String, _ step: String, to package: EditedPackage) {
        let warp = JSONValue.object(["type": .string("warp"), "texture": .string(picture)])
        package.change(step) { package.selection = $0.insert(warp, inSightAt: package.selection) }
    }

    private func addPaint() {
        do {
            Self.addPicture(try package.makePicture().description, "add paint", to: package)
            view.brush.paintWhenRead()
        } catch {
            messages.say("\(error)", isAlarm: true)
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
                package.change("add sticker") { package.selection = $0.insert(sticker, inSightAt: package.selection) }
            })
    }

    private func chooseMakeup() {
        let package = package
        chooser.open(
            .texture(
                title: "Where the make-up is: lips, rouge ... or a picture of your own", of: package,
                examples: "makeup"
            ) { name in
                let makeup = JSONValue.object([
                    "type": .string("makeup"), "texture": .string(name), "color": .string("#b02a3c"),
                    "smoothing": .number(0.5),
                ])
                package.change("add makeup") { package.selection = $0.insert(makeup, inSightAt: package.selection) }
            })
    }

    private func chooseProp() {
        let package = package
        chooser.open(
            .model(of: package) { prop in
                package.change("add prop") { package.selection = $0.insert(prop, inSightAt: package.selection) }
            })
    }

    /// As the buttons name it that add such layers.
    private static func kind(of layer: JSONValue) -> String {
        guard layer.layerType == .warp else { return wording(layer["type"]?.string ?? "?") }
        let file = layer["texture"]?.string.map { FilePath($0).name.description } ?? ""
        return EditedPackage.isPaint(file) ? "Paint" : "Picture"
    }

    /// - Parameter number: tells it apart from others of the same title; the lowest one has none.
    private static func title(_ layer: JSONValue, number: Int = 1) -> String {
        var words = [number > 1 ? "\(kind(of: layer)) \(number)" : kind(of: layer)]
        for key in ["texture", "model"] { if let file = layer[key]?.string { words.append(file) } }
        if let part = layer["textureLayer"]?.string { words.append(part) }
        if layer["animation"] != nil { words.append("animation") }
        if let live = layer["live"]?.string { words.append(live == "swap" ? "another's face" : "the face itself") }
        if let anchor = layer["anchor"]?.string { words.append("at the \(wording(anchor).lowercased())") }
        if let blend = layer["blend"]?.string, blend != "normal" { words.append(wording(blend).lowercased()) }
        return words.joined(separator: " · ")
    }
}
