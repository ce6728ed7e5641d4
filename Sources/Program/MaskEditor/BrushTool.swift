import Display
import FaceGeometry
import Files
import JSON
import MaskAuthoring

/// The brush of the texture view: paints on the selected layer's picture, and erases and restores parts of it.
package final class BrushTool {
    private let package: EditedPackage
    private let messages: WindowMessages
    package private(set) var isOn = false
    /// Whether the layer that is painted on is shown without the others.
    var isAlone = false
    private var tool = Tool.paint
    /// "#rrggbb", of the paint.
    var color = EditHabits().color
    /// The part of the radius over which the effect fades, 0…1.
    var softness: Float = 0.5
    /// As a fraction of the longer side of the texture.
    private var size: Float = 0.06
    private var stroke: Stroke?
    /// Tells strokes apart: each is a step of its own.
    private var strokeCount = 0
    private let picture = MattePicture()
    /// The layer that is to be painted on once its picture has been read; nil: none.
    private var waiting: LayerIdentity?
    /// The layer that is painted on: when another one is selected, the brush is put away.
    private var painted: LayerIdentity?

    enum Tool {
        case paint, erase, restore
    }

    private struct Stroke {
        var line: MatteStroke
        let name: FilePath
        /// The document's revision after the last change: if another one follows, the stroke ends.
        var revision: Int
    }

    private static let sizes: ClosedRange<Float> = 0.002...0.5
    private static let light = SIMD4<UInt8>(255, 255, 255, 230)
    private static let dark = SIMD4<UInt8>(0, 0, 0, 170)

    package init(_ package: EditedPackage, messages: WindowMessages) {
        (self.package, self.messages) = (package, messages)
    }

    var isStroking: Bool { stroke != nil }

    /// Turns the brush on and off. It stays off, and says why, where there is nothing that it could change.
    package func toggle() {
        if isOn { return close() }
        do throws(BrushRefusal) {
            _ = try package.brushedMatte()
            open()
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    /// Turns the brush on once the selected layer's picture has been read.
    package func paintWhenRead() { (tool, waiting) = (.paint, package.selectedIdentity) }

    private func open() {
        isOn = true
        painted = package.selectedIdentity
    }

    /// To be called for each frame.
    package func update() {
        let selected = package.selectedIdentity
        // A layer that is moved goes on being painted on, and so does one whose settings change.
        if isOn, selected != painted { putAway() }
        guard let layer = waiting, !package.isToRead || layer != selected else { return }
        waiting = nil
        if layer == selected, package.brushRefusal == nil { open() }
    }

    func close() {
        waiting = nil
        putAway()
    }

    private func putAway() {
        end()
        isOn = false
        picture.clear()
    }

    func choose(_ tool: Tool) {
        self.tool = tool
        if !isOn { toggle() }
    }

    private var action: MatteBrush.Action {
        switch tool {
        case .erase: return .erase
        case .restore: return .restore
        case .paint: return .paint(SIMD3(hexadecimalColor: pigment ?? color) ?? .zero)
        }
    }

    /// The colour that a layer of make-up has whatever the colours of its picture are; nil: those count.
    private var pigment: String? {
        guard let layer = package.selectedLayer, layer.layerType == .makeup else { return nil }
        return layer["color"]?.string
    }

    /// The selected layer's picture in the one colour that it has on the face; nil: it has its own.
    func pigmentedPicture(scale: Float) -> PanelPicture? {
        guard let pigment = pigment.flatMap({ SIMD3(hexadecimalColor: $0) }),
            let matte = try? package.brushedMatte().matte
        else { return nil }
        return picture.panel(matte, scale: scale, MattePicture.Look(tintsErased: false, pigment: pigment))
    }

    /// - Parameter steps: positive: larger.
    func resize(by steps: Float) {
        var factor: Float = 1
        for _ in 0..<Int(min(20, abs(steps)).rounded(.up)) { factor *= steps > 0 ? 1.25 : 0.8 }
        size = min(Self.sizes.upperBound, max(Self.sizes.lowerBound, size * factor))
    }

    // MARK: Controls

    /// - Parameter width: of the part of the window.
    static func controlsHeight(width: Float) -> Float { 94 + (hasTwoColumns(width) ? 0 : 56) }

    /// Whether two sliders with their labels find room beside each other.
    private static func hasTwoColumns(_ width: Float) -> Bool { width >= 340 }

    /// The layers besides the one that is painted on, which can be shown with it.
    enum Others {
        /// They are there, or not.
        case some, none
        /// The mask has not been read, or has errors.
        case unknown
        /// The picture does not lie on the face.
        case elsewhere

        fileprivate var hint: String {
            switch self {
            case .some: "Otherwise, the layers below and above it are shown as on the face"
            case .none: "The mask has no other layer that lies on the face"
            case .unknown: "Other layers are shown once the mask has been read without errors"
            case .elsewhere: "Other layers are shown with pictures that lie on the face"
            }
        }
    }

    func drawControls(_ panels: Panels, width: Float, others: Others) {
        tool = panels.choice(
            [("paint (P)", Tool.paint), ("erase (E)", .erase), ("restore (R)", .restore)], tool,
            hints: [
                "Paint in the colour below (P). What is painted comes to the face at once",
                "Make parts of the picture transparent (E)",
                "Restore the picture under the blue tint (R). Dark areas have no colours left to restore: programs often "
                    + "drop the colours of transparent pixels when they save. Masks made with 'bauta mask new --from' "
                    + "keep them.",
            ])
        // What is left of the row by the colour, two labels and two numbers.
        panels.itemWidth(Self.hasTwoColumns(width) ? min(220, max(90, (width - 150) / 2)) : -1)
        if let pigment {
            let new = panels.colorPatch("paint", pigment)
            if new != pigment { package.setSelected("color", .string(new)) }
            panels.hint("The colour of the make-up: all of this layer has it")
        } else {
            color = panels.colorPatch("paint", color)
            panels.hint("The colour of the paint")
        }
        panels.sameLine()
        let side = (try? package.brushedMatte()).map { max($0.matte.bounds.width, $0.matte.bounds.height) } ?? 1024
        let pixels = size * Float(side)
        panels.text("Size")
        panels.sameLine()
        let new = panels.slider("##size", pixels, in: 1...Self.sizes.upperBound * Float(side), format: "%.0f px")
        panels.hint("Diameter in pixels of the picture ([ and ], or Shift and the mouse wheel)")
        if new != pixels { size = min(Self.sizes.upperBound, max(Self.sizes.lowerBound, new / Float(side))) }
        if Self.hasTwoColumns(width) { panels.sameLine() }
        panels.text("Softness")
        panels.sameLine()
        softness = panels.slider("##softness", softness, in: 0...1, format: "%.2f")
        panels.hint("How far the effect fades towards the edge of the brush")
        let hasOthers = others == .some
        panels.disabled(!hasOthers) {
            let isChosen = panels.checkbox("show this layer alone (A)", isAlone || !hasOthers)
            if hasOthers { isAlone = isChosen }
        }
        panels.hint(others.hint)
    }

    // MARK: Strokes

    /// The part of the texture view above the mesh.
    /// - Parameters:
    ///   - symmetry: strokes are made on its other side, too; nil: they are not.
    ///   - guide: is drawn under the paint, and over it.
    ///   - others: likewise, between the guide and the paint.
    /// - Returns: false if this layer's picture cannot be changed; why is on the canvas then.
    func draw(
        _ canvas: Canvas, _ view: PictureNavigation.View, symmetry: PointSymmetry?, guide: FaceGuide.Panels?,
        others: OtherLayersView.Panels?
    ) -> Bool {
        let target: (name: FilePath, matte: Matte)
        do throws(BrushRefusal) {
            target = try package.brushedMatte()
        } catch {
            end()
            canvas.paragraph("\(error)", at: Point(14, 34), color: SIMD4(255, 190, 120, 255))
            return false
        }
        paint(target.name, target.matte, canvas, view, symmetry)
        let bounds = target.matte.bounds
        let matte = stroke?.line.result ?? target.matte
        let size = view.scale * Point(Float(bounds.width), Float(bounds.height))
        canvas.checkers(at: view.corner, size: size, side: 8)
        if let guide { canvas.picture(guide.below, at: view.corner, size: size) }
        canvas.othersBelow(others, at: view.corner, size: size)
        let look = MattePicture.Look(
            tintsErased: tool != .paint, pigment: pigment.flatMap { SIMD3(hexadecimalColor: $0) })
        if let panel = picture.panel(matte, scale: view.scale, look) {
            canvas.picture(panel, at: view.corner, size: size)
        }
        canvas.othersAbove(others, at: view.corner, size: size)
        if let guide { canvas.picture(guide.above, at: view.corner, size: size) }
        return true
    }

    private func paint(
        _ name: FilePath, _ matte: Matte, _ canvas: Canvas, _ view: PictureNavigation.View, _ symmetry: PointSymmetry?
    ) {
        if stroke?.name != name || stroke?.revision != package.history.revision { stroke = nil }
        var way = canvas.mousePath
        // At rest, the curve comes to the mouse.
        if way.isEmpty, canvas.isPressed || canvas.isHeld { way = [canvas.mouse] }
        if canvas.isPressed {
            let diameter = size * Float(max(matte.bounds.width, matte.bounds.height))
            let brush = MatteBrush(action: action, diameter: diameter, softness: softness)
            let line = MatteStroke(brush, on: matte, at: view.picture(way[0]), symmetry: symmetry)
            strokeCount += 1
            stroke = Stroke(line: line, name: name, revision: package.history.revision)
        }
        stroke?.line.move(through: way.map(view.picture))
        guard stroke != nil else { return }
        if canvas.isHeld && !canvas.isReleased { keep() } else { end() }
    }

    /// Takes the stroke over into the document.
    private func keep() {
        guard let stroke else { return }
        let step =
            switch stroke.line.brush.action {
            case .paint: "paint"
            case .erase: "erase"
            case .restore: "restore"
            }
        package.set(stroke.line.result, of: stroke.name, step: step, edit: "stroke \(strokeCount)")
        self.stroke?.revision = package.history.revision
    }

    private func end() {
        defer { stroke = nil }
        // What has been changed meanwhile has ended it.
        guard stroke?.revision == package.history.revision else { return }
        stroke?.line.finish()
        keep()
        package.history.endEdit(bytes: stroke?.line.bytes ?? 0)
    }

    /// The brush at the mouse, with its paint: where it begins to fade, and where it ends; and at the place on the other side.
    func drawCursor(_ canvas: Canvas, _ view: PictureNavigation.View, side: Float, symmetry: PointSymmetry?) {
        guard canvas.isHovered || isStroking else { return }
        if let symmetry {
            let place = symmetry.mirrored(view.picture(canvas.mouse))
            drawCursor(at: view.canvas(place), canvas, view, side)
        }
        drawCursor(at: canvas.mouse, canvas, view, side)
    }

    private func drawCursor(at place: Point, _ canvas: Canvas, _ view: PictureNavigation.View, _ side: Float) {
        let radius = max(1.5, size * side * view.scale / 2)
        if case .paint(let color) = action {
            canvas.disc(at: place, radius: radius, color: SIMD4(color.x, color.y, color.z, 150))
        }
        for (radius, color) in [
            (radius + 1, Self.dark), (radius, Self.light), (radius * (1 - softness), Self.light &- SIMD4(0, 0, 0, 150)),
        ] where radius >= 1.5 {
            canvas.circle(at: place, radius: radius, thickness: 1.5, color: color)
        }
    }
}
