import Display
import FaceGeometry
import GLTF
import Glibc
import MaskAuthoring
import MaskComposition
import MaskRendering
import Pixels

/// The middle of the editor while a prop is selected: its model from all sides, what it is made of, and its animations one at
/// a time.
final class PropView {
    private let package: EditedPackage
    private let renderer: MaskRenderer
    private let messages: WindowMessages
    /// Its zoom is relative to the one that shows the whole model.
    private var drawing = ModelDrawing()
    private var picture: PanelPicture?
    /// What the picture shows.
    private var shown: Shown?
    private var pose: (model: Model, pose: ModelPose)?
    /// In the animations of the model's rig.
    private var animation = 0
    /// The place in the animation, 0…1.
    private var place: Float = 0
    private var isRunning = false
    private var lastStep = ContinuousClock.now

    private struct Shown: Equatable {
        let model: Model
        let drawing: ModelDrawing
        let width: Int
        let height: Int
        let animation: Int
        let place: Float

        static func == (one: Shown, other: Shown) -> Bool {
            one.model === other.model && one.drawing == other.drawing
                && (one.width, one.height) == (other.width, other.height)
                && (one.animation, one.place) == (other.animation, other.place)
        }
    }

    private static let faint = SIMD4<UInt8>(170, 170, 175, 255)
    private static let wall = SIMD4<UInt8>(44, 45, 50, 255)
    /// For the texts above and below the model, in window units; a canvas that is lower has none below it.
    private static let (margin, low): (Float, Float) = (56, 160)
    private static let zooms: ClosedRange<Float> = 0.2...20
    /// Of a key, in radians.
    private static let step: Float = .pi / 12

    init(_ package: EditedPackage, renderer: MaskRenderer, messages: WindowMessages) {
        (self.package, self.renderer, self.messages) = (package, renderer, messages)
    }

    /// Whether the view changes by itself.
    var isMoving: Bool { isRunning && package.selectedModel?.rig?.animations.isEmpty == false }

    func showAll() { drawing = ModelDrawing() }

    /// Turns the model by steps of 15°: to the right, and up.
    func turn(right: Float, up: Float) { turn(by: Self.step * Point(right, -up)) }

    /// - Parameter steps: positive: larger.
    func zoom(by steps: Float) {
        drawing.zoom = min(Self.zooms.upperBound, max(Self.zooms.lowerBound, drawing.zoom * powf(1.2, steps)))
    }

    /// - Parameter angles: in radians, to the right and down.
    private func turn(by angles: Point) {
        drawing.turn = Pose(
            yaw: (drawing.turn.yaw + angles.x).remainder(dividingBy: 2 * .pi),
            pitch: max(-.pi / 2, min(.pi / 2, drawing.turn.pitch - angles.y)), roll: 0)
    }

    // MARK: Drawing

    /// Of the controls, in a part of the window of that width.
    private static func controlsHeight(width: Float) -> Float { 66 + (hasOneRow(width) ? 0 : 28) }

    /// Whether the slider finds room beside the button before it.
    private static func hasOneRow(_ width: Float) -> Bool { width >= 240 }

    /// - Parameters:
    ///   - width: of the part of the window.
    ///   - height: likewise.
    func draw(_ model: Model, _ panels: Panels, width: Float, height: Float) throws {
        step(model)
        var failure: (any Error)?
        panels.canvas("model", width: width, height: height - Self.controlsHeight(width: width)) { canvas in
            navigate(canvas)
            do {
                try update(model, canvas)
            } catch {
                failure = error
            }
            if let picture { canvas.picture(picture, at: .zero, size: canvas.size) }
            canvas.paragraph(description(of: model), at: Point(14, 12))
            // In a small window the picture has the room.
            if canvas.size.y > Self.low {
                canvas.footnote(
                    "Drag the model, or press the arrow keys, to turn it. The wheel, + and - zoom; the right button "
                        + "moves it.", color: Self.faint)
            }
            if let message = messages.current {
                canvas.note(message.text, opacity: message.opacity, isAlarm: message.isAlarm)
            }
        }
        if let failure { throw failure }
        drawControls(model, panels, width: width)
    }

    private func navigate(_ canvas: Canvas) {
        if canvas.wheel != 0 { zoom(by: max(-20, min(20, canvas.wheel))) }
        if canvas.isPanned { drawing.offset += canvas.mouseMotion }
        if canvas.isHeld, canvas.mouseMotion != .zero { turn(by: 0.01 * canvas.mouseMotion) }
    }

    private func step(_ model: Model) {
        let now = ContinuousClock.now
        defer { lastStep = now }
        guard let rig = model.rig, !rig.animations.isEmpty else { return animation = 0 }
        animation = min(animation, rig.animations.count - 1)
        let length = rig.animations[animation].length
        guard isRunning, length > 0 else { return }
        place = (place + Float((now - lastStep) / .seconds(1)) / length).truncatingRemainder(dividingBy: 1)
    }

    private func update(_ model: Model, _ canvas: Canvas) throws {
        let (width, height) = (max(1, Int(canvas.size.x)), max(1, Int(canvas.size.y)))
        var drawing = drawing
        let part = Point(0.94, canvas.size.y > Self.low ? max(0.4, 1 - 2 * Self.margin / canvas.size.y) : 0.94)
        drawing.zoom *= ModelDrawing.zoom(
            fitting: model, width: Float(width), height: Float(height), part: part)
        let new = Shown(
            model: model, drawing: drawing, width: width, height: height, animation: animation,
            place: place)
        guard new != shown else { return }
        if pose?.model !== model { pose = ModelPose(model).map { (model, $0) } }
        if let rig = model.rig, !rig.animations.isEmpty {
            let moment = ModelPose.Moment(
                animation: animation, seconds: rig.animations[animation].seconds(at: place))
            pose?.pose.set(count: 1) { _ in moment }
        }
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        pixels.fill(Self.wall)
        let list = drawing.drawList(model, pose?.pose, in: pixels.bounds)
        try renderer.execute(list, in: &pixels, encoding: .video)
        if let picture { picture.update(pixels) } else { picture = PanelPicture(pixels) }
        shown = new
    }

    private func drawControls(_ model: Model, _ panels: Panels, width: Float) {
        guard let rig = model.rig, !rig.animations.isEmpty else { return }
        panels.itemWidth(-1)
        let names = rig.animations.enumerated().map { (label: String($1.name.prefix(60)), value: $0) }
        animation = panels.list("animation", names, animation)
        isRunning = panels.checkbox("run", isRunning)
        panels.hint("Plays the animation here; on the face, the layer's settings move it")
        if Self.hasOneRow(width) {
            panels.sameLine()
            panels.itemWidth(max(40, width - 190))
        }
        let new = panels.slider("place", place, in: 0...1, format: "%.2f")
        panels.hint("From the animation's first key (0) to its last (1)")
        if new != place { (place, isRunning) = (new, false) }
    }

    /// The file, its size and its materials.
    private func description(of model: Model) -> String {
        let used = Set(model.parts.map(\.material)).sorted()
        var materials: [String] = []
        for index in used {
            let name = model.materials[index].name.isEmpty ? "unnamed" : String(model.materials[index].name.prefix(40))
            if !materials.contains(name) { materials.append(name) }
        }
        let more = materials.count > 12 ? " and \(materials.count - 12) more" : ""
        return """
            \(model.path.name)  \(model.triangleCount) triangle\(model.triangleCount == 1 ? "" : "s")
            Material\(materials.count == 1 ? "" : "s"): \(materials.prefix(12).joined(separator: ", "))\(more)
            """
    }
}
