import Display
import FaceGeometry
import Files
import Installation
import MaskAuthoring
import MaskRendering
import Masks
import Pixels

/// The texture of the selected layer with its points. Zoom and position stay when the texture's file changes.
final class TextureView {
    let points: PointEditor
    let brush: BrushTool
    private let programs: PaintingPrograms
    private let others: OtherLayersView
    var showsMesh = true
    /// Whether the reference face is there, under and over the paint.
    var showsFace = true
    /// Why it is not, whatever `showsFace` is; nil: it can be.
    var faceRefusal: String? {
        guard let use = package.selectedTexture, let vertices = package.points(of: use) else { return nil }
        let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
        return guide.fits(vertices, size: size)
            ? nil : "This picture shows a face of its own: its points tell where eyes and mouth are"
    }
    private let package: EditedPackage
    private let messages: WindowMessages
    private let mesh: FaceMesh
    private let guide: FaceGuide
    /// Every side of a triangle once.
    private let meshEdges: [Edge]
    private var picture: (texture: Texture, panel: PanelPicture)?
    private var navigation = PictureNavigation()
    /// The name of the shown file. Another file is shown as a whole at first.
    private var file: FilePath?
    /// From the mouse to a sticker's anchor while that is dragged, in window units.
    private var centerGrip: Point?

    init(
        _ package: EditedPackage, data: DataFolder, assets: AuthoringAssets, renderer: MaskRenderer,
        messages: WindowMessages
    ) {
        self.package = package
        self.messages = messages
        mesh = assets.mesh
        meshEdges = mesh.edges
        guide = FaceGuide(data, reference: assets.reference)
        points = PointEditor(package, reference: assets.reference)
        brush = BrushTool(package, messages: messages)
        programs = PaintingPrograms(messages: messages)
        others = OtherLayersView(package, assets: assets, renderer: renderer, messages: messages)
    }

    /// Whether it changes by itself: the face to paint on is being drawn.
    var isWaiting: Bool { guide.isWaiting }
    /// Whether that face is being drawn still, whoever waits for it.
    var isWorking: Bool { guide.isWorking }
    /// Whether a painting program has got a picture of the mask, and may have it still.
    var hasOpenedProgram: Bool { programs.hasOpened }

    func showAll() { navigation.showAll() }

    func draw(_ panels: Panels, width: Float, height: Float) {
        brush.update()
        panels.canvas("texture", width: width, height: height - BrushTool.controlsHeight(width: width)) { canvas in
            if let use = package.selectedTexture {
                draw(use, canvas)
            } else {
                drawAbsence(canvas)
            }
            // Below the picture, where no control is.
            if messages.current == nil, let advice { canvas.footnote(advice, color: Self.faint) }
            if let message = messages.current {
                canvas.note(message.text, opacity: message.opacity, isAlarm: message.isAlarm)
            }
        }
        guard brush.isOn || package.selectedTexture != nil else { return }
        let refusal = brush.isOn ? nil : package.brushRefusal
        panels.disabled(refusal != nil) {
            if panels.button(brush.isOn ? "done" : "brush", icon: brush.isOn ? .check : .brush) { brush.toggle() }
        }
        panels.hint(
            refusal?.description
                ?? (brush.isOn
                    ? "Back to the points (B, Esc)"
                    : "Brush (B): paints on the picture, erases parts of it and restores what was cut out. Paint the file itself "
                        + "in any program: what that saves shows here"))
        guard brush.isOn else {
            others.clear()
            if let use = package.selectedTexture { programs.draw(use.texture.path, panels) }
            return
        }
        panels.sameLine()
        let isOnFace = package.selectedTexture.flatMap(package.points) != nil
        brush.drawControls(panels, width: width, others: isOnFace ? others.presence : .elsewhere)
        guard isOnFace else { return }
        panels.sameLine(ifRoomFor: "symmetric (X)")
        points.isSymmetric = panels.checkbox("symmetric (X)##brush", points.isSymmetric)
        panels.hint("Also paints on the other side of the face")
    }

    /// What somebody has to know who wants to paint on the face, and drags its points; nil: nothing.
    private var advice: String? {
        guard !brush.isOn, package.selectedTexture != nil, faceRefusal == nil, package.brushRefusal == nil,
            package.selectedTexture.flatMap(package.points) != nil
        else { return nil }
        return "To paint here, press Brush (B). Points say what lies where on the face: drag one only if it is wrong."
    }

    /// Says why there is no picture.
    private func drawAbsence(_ canvas: Canvas) {
        if package.isReading { return }
        guard let error = package.selection.flatMap({ package.errors(of: $0).first }) else {
            return canvas.text("This layer has no picture of its own.", at: Point(14, 12), color: Self.faint)
        }
        let others = package.worn == nil ? "" : "\n\nThe face goes on wearing the mask as it was."
        canvas.paragraph(sentence(error.reason) + others, at: Point(14, 12), color: Self.alarm)
    }

    private static let alarm = SIMD4<UInt8>(255, 115, 102, 255)
    private static let faint = SIMD4<UInt8>(170, 170, 175, 255)
    /// Dark lines with a light edge are seen on every colour.
    private static let meshColor = SIMD4<UInt8>(20, 22, 30, 150)
    private static let meshEdgeColor = SIMD4<UInt8>(255, 255, 255, 50)
    private static let foldedColor = SIMD4<UInt8>(255, 60, 60, 255)
    private static let pointColor = SIMD4<UInt8>(0, 230, 120, 255)
    private static let headPointColor = SIMD4<UInt8>(255, 205, 40, 255)
    private static let selectedColor = SIMD4<UInt8>(255, 255, 255, 255)
    /// How near the mouse must be to a point to drag it, in window units.
    private static let reach: Float = 10

    private func draw(_ use: MaskReading.TextureUse, _ canvas: Canvas) {
        let texture = use.texture
        let name = package.name(of: texture)
        if name != file {
            file = name
            navigation.showAll()
            points.selectedVertex = nil
        }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        let view = navigation.navigate(canvas, size: size, margin: 0.06, zooms: !(brush.isOn && canvas.isShiftDown))
        let vertices = package.points(of: use)
        let guide = showsFace ? vertices.flatMap { self.guide.panels(for: $0, size: size) } : nil
        if brush.isOn {
            if canvas.isShiftDown { brush.resize(by: canvas.wheel) }
            let symmetry = points.isSymmetric ? vertices.map { PointSymmetry($0) } : nil
            let others = brush.isAlone ? nil : vertices.flatMap { otherLayers(of: name, $0, size: size) }
            if brush.draw(canvas, view, symmetry: symmetry, guide: guide, others: others) {
                if let vertices { draw(vertices, canvas, view, isPainting: true) }
                brush.drawCursor(canvas, view, side: size.max(), symmetry: symmetry)
                return canvas.text(status(use, name.description, view), at: Point(14, 12))
            }
        }
        canvas.checkers(at: view.corner, size: view.scale * size, side: 8)
        if let guide { canvas.picture(guide.below, at: view.corner, size: view.scale * size) }
        let picture = brush.pigmentedPicture(scale: view.scale) ?? panelPicture(texture)
        canvas.picture(picture, at: view.corner, size: view.scale * size)
        if let guide { canvas.picture(guide.above, at: view.corner, size: view.scale * size) }
        if case .sticker = use.purpose {
            editCenter(canvas, size: size, view)
        } else if let vertices {
            edit(vertices, use, canvas, view)
            draw(package.selectedTexture.flatMap(package.points) ?? vertices, canvas, view)
        }
        canvas.text(status(use, name.description, view), at: Point(14, 12))
    }

    private func otherLayers(of file: FilePath, _ vertices: [Point], size: Point) -> OtherLayersView.Panels? {
        let face = guide.skin(for: vertices, size: size)
        // It is being drawn.
        if face == nil, guide.isWaiting, guide.fits(vertices, size: size) { return nil }
        return others.panels(of: file, vertices: vertices, size: size, face: face)
    }

    private func panelPicture(_ texture: Texture) -> PanelPicture {
        if let picture, picture.texture === texture { return picture.panel }
        let panel = PanelPicture(texture.pixels, for: .closeUp)
        picture = (texture, panel)
        return panel
    }

    private func status(_ use: MaskReading.TextureUse, _ name: String, _ view: PictureNavigation.View) -> String {
        let pixels = (use.texture.pixels.width, use.texture.pixels.height)
        var status = "\(name)  \(pixels.0) × \(pixels.1)  \(Int((100 * view.scale).rounded())) %"
        if let vertex = points.selectedVertex, let all = package.points(of: use), vertex < all.count {
            let place = all[vertex]
            status += "  point \(vertex + 1): \(decimal(place.x, places: 1)), \(decimal(place.y, places: 1))"
        }
        if points.isDragging, let snap = points.snap { status += "  on the \(snap.rawValue)" }
        return status
    }

    // MARK: Points

    private func edit(
        _ vertices: [Point], _ use: MaskReading.TextureUse, _ canvas: Canvas, _ view: PictureNavigation.View
    ) {
        if canvas.isPressed {
            let distances = vertices.map { (view.canvas($0) - canvas.mouse).length }
            points.selectedVertex = distances.indices.min { distances[$0] < distances[$1] }
            if let vertex = points.selectedVertex, distances[vertex] <= Self.reach {
                points.begin(vertex, of: vertices, grip: view.canvas(vertices[vertex]) - canvas.mouse)
            } else {
                points.selectedVertex = nil
            }
        }
        guard points.isDragging else { return }
        if canvas.isHeld, canvas.mouseMotion != .zero || points.snap != nil {
            points.drag(to: canvas.mouse, view, use, snaps: points.snaps && !canvas.isAltDown)
        }
        if canvas.isReleased || !canvas.isHeld { points.end() }
    }

    /// - Parameter isPainting: the points are smaller, and nothing happens to them.
    private func draw(
        _ vertices: [Point], _ canvas: Canvas, _ view: PictureNavigation.View, isPainting: Bool = false
    ) {
        let places = vertices.map(view.canvas)
        if showsMesh { draw(meshOf: places, vertices, canvas) }
        if isPainting {
            guard showsMesh else { return }
            for (index, place) in places.enumerated() {
                canvas.disc(at: place, radius: 2.6, color: SIMD4(0, 0, 0, 150))
                canvas.disc(
                    at: place, radius: 1.7, color: index < Landmarks.count ? Self.pointColor : Self.headPointColor)
            }
            return
        }
        for (index, place) in places.enumerated() {
            let color = index < Landmarks.count ? Self.pointColor : Self.headPointColor
            let isSelected = index == points.selectedVertex
            let isNear = canvas.isHovered && !points.isDragging && (place - canvas.mouse).length <= Self.reach
            canvas.disc(at: place, radius: isNear || isSelected ? 6 : 4, color: SIMD4(0, 0, 0, 200))
            canvas.disc(
                at: place, radius: isNear || isSelected ? 4.5 : 2.8, color: isSelected ? Self.selectedColor : color)
        }
    }

    /// - Parameters:
    ///   - places: of the vertices on the canvas.
    ///   - vertices: in pixels of the texture.
    private func draw(meshOf places: [Point], _ vertices: [Point], _ canvas: Canvas) {
        for edge in meshEdges {
            canvas.line(from: places[edge.from], to: places[edge.to], thickness: 2.5, color: Self.meshEdgeColor)
        }
        for edge in meshEdges {
            canvas.line(from: places[edge.from], to: places[edge.to], thickness: 1, color: Self.meshColor)
        }
        for triangle in mesh.foldedTriangles(vertices, tolerance: 1) {
            for edge in triangle.edges {
                canvas.line(from: places[edge.from], to: places[edge.to], thickness: 2, color: Self.foldedColor)
            }
        }
    }

    // MARK: Stickers

    /// Shows and moves the point of a sticker's picture that is placed on its anchor.
    private func editCenter(_ canvas: Canvas, size: Point, _ view: PictureNavigation.View) {
        let center = package.selectedLayer?["center"]?.elements.compactMap(\.number) ?? []
        let place = center.count == 2 ? Point(Float(center[0]), Float(center[1])) : Point(0.5, 0.5)
        let onCanvas = view.canvas(size * place)
        for step in [Point(14, 0), Point(0, 14)] {
            canvas.line(from: onCanvas - step, to: onCanvas + step, thickness: 4, color: SIMD4(0, 0, 0, 180))
            canvas.line(from: onCanvas - step, to: onCanvas + step, thickness: 2, color: Self.selectedColor)
        }
        canvas.text("anchor", at: onCanvas + Point(10, 8))
        if canvas.isPressed, (onCanvas - canvas.mouse).length <= 2 * Self.reach { centerGrip = onCanvas - canvas.mouse }
        if !canvas.isHeld { centerGrip = nil }
        if let centerGrip, canvas.mouseMotion != .zero {
            let new = view.picture(canvas.mouse + centerGrip) / size
            let clamped = pointwiseMax(Point(-2, -2), pointwiseMin(Point(3, 3), new))
            package.setSelected("center", .array([.rounded(clamped.x), .rounded(clamped.y)]), step: "move the anchor")
        }
    }
}
