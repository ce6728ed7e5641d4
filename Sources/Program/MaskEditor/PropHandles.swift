import Display
import FaceGeometry
import MaskAuthoring
import Masks

/// Handles of the selected prop, over the picture of who wears the mask.
final class PropHandles {
    private let package: EditedPackage
    private let reference: ReferenceFace
    private let cameraFit: HeadCameraFit
    private var drag: Drag?
    /// Tells drags apart: each is a step of its own.
    private var dragCount = 0
    /// The head's camera as it was fitted last.
    private var fitted: (face: Face, picture: Point, camera: HeadCamera)?

    private struct Drag {
        let handle: PropGizmo.Handle
        /// As it was when the handle was taken.
        let gizmo: PropGizmo
        /// In pixels of the picture.
        let start: Point
        /// The document's revision after the last change: if another one follows, the drag ends.
        var revision: Int
    }

    /// In the window's units: the length of the arrows, and how near the mouse must be.
    private static let length: Float = 92
    private static let reach: Float = 9

    private static let colors: [SIMD4<UInt8>] = [
        SIMD4(232, 112, 98, 255), SIMD4(132, 198, 112, 255), SIMD4(104, 160, 236, 255),
    ]
    /// The design's accent.
    private static let chosen = SIMD4<UInt8>(230, 178, 72, 255)
    private static let light = SIMD4<UInt8>(240, 240, 240, 255)
    private static let dark = SIMD4<UInt8>(0, 0, 0, 150)

    init(_ package: EditedPackage, reference: ReferenceFace) {
        self.package = package
        self.reference = reference
        cameraFit = HeadCameraFit(reference)
    }

    /// Draws the handles and applies the mouse.
    /// - Parameters:
    ///   - size: of the picture, in pixels.
    ///   - faces: in the picture; the handles are on the largest.
    func draw(_ canvas: Canvas, _ view: PictureNavigation.View, size: Point, faces: [FaceInstance]) {
        guard let placement = package.selectedLayer.flatMap(PropPlacement.init),
            let face = faces.max(by: { $0.face.box.area < $1.face.box.area })?.face
        else {
            drag = nil
            return
        }
        let camera = camera(of: face, size)
        let length = Self.length / view.scale
        guard let gizmo = PropGizmo(placement, camera: camera, reference: reference, length: length) else { return }
        let mouse = view.picture(canvas.mouse)
        if drag?.revision != package.history.revision { drag = nil }
        let isNear = canvas.isHovered && !canvas.isPanned
        let under = isNear ? gizmo.handle(at: mouse, reach: Self.reach / view.scale) : nil
        if canvas.isPressed, let under {
            dragCount += 1
            drag = Drag(handle: under, gizmo: gizmo, start: mouse, revision: package.history.revision)
        }
        if canvas.isHeld, canvas.mouseMotion != .zero { move(to: mouse, snaps: canvas.isShiftDown) }
        let shown = drag?.handle ?? under
        // As the drag has left it.
        let now = package.selectedLayer.flatMap(PropPlacement.init) ?? placement
        draw(
            PropGizmo(now, camera: camera, reference: reference, length: length) ?? gizmo, shown, canvas, view)
        if let shown {
            canvas.label(Self.text(shown, now), color: drag == nil ? Self.light : Self.chosen)
        } else if isNear {
            canvas.note(
                "Drag the arrows to move the prop, the rings to turn it, the corner to scale it. Shift: in steps.",
                opacity: 1, isAlarm: false)
        }
        if !canvas.isHeld { drag = nil }
    }

    private func move(to mouse: Point, snaps: Bool) {
        guard let drag, let path = package.selection else { return }
        let placement = drag.gizmo.dragged(drag.handle, from: drag.start, to: mouse, snaps: snaps)
        let step =
            switch drag.handle {
            case .move, .moveAlong: "move the prop"
            case .turnAround: "turn the prop"
            case .scale: "scale the prop"
            }
        package.change(step, edit: "prop \(dragCount)") { document in
            guard var layer = document[layer: path] else { return }
            placement.write(to: &layer)
            document[layer: path] = layer
        }
        self.drag?.revision = package.history.revision
    }

    private func camera(of face: Face, _ size: Point) -> HeadCamera {
        if let fitted, fitted.face == face, fitted.picture == size { return fitted.camera }
        let camera = cameraFit.camera(face, picture: size)
        fitted = (face, size, camera)
        return camera
    }

    // MARK: Drawing

    private func draw(
        _ gizmo: PropGizmo, _ shown: PropGizmo.Handle?, _ canvas: Canvas, _ view: PictureNavigation.View
    ) {
        func line(_ from: Point, _ to: Point, _ thickness: Float, _ color: SIMD4<UInt8>) {
            canvas.line(from: view.canvas(from), to: view.canvas(to), thickness: thickness, color: color)
        }
        func color(_ handle: PropGizmo.Handle, _ rest: SIMD4<UInt8>) -> SIMD4<UInt8> {
            handle == shown ? Self.chosen : rest
        }
        let rings = PropGizmo.Axis.allCases.map { ($0, gizmo.ring($0)) }
        // What is behind the prop first, and faint.
        for isNear in [false, true] {
            for (axis, ring) in rings {
                var tint = color(.turnAround(axis), Self.colors[axis.rawValue])
                if !isNear { tint.w = 90 }
                for (index, point) in ring.enumerated() where point.isNear == isNear {
                    let next = ring[(index + 1) % ring.count].place
                    if isNear { line(point.place, next, 4, Self.dark) }
                    line(point.place, next, 2, tint)
                }
            }
        }
        for axis in PropGizmo.Axis.allCases {
            guard let tip = gizmo.tip(axis) else { continue }
            let tint = color(.moveAlong(axis), Self.colors[axis.rawValue])
            line(gizmo.center, tip, 5, Self.dark)
            line(gizmo.center, tip, 2.5, tint)
            drawHead(from: view.canvas(gizmo.center), to: view.canvas(tip), canvas, tint)
        }
        line(gizmo.center, gizmo.scaleHandle, 1, SIMD4(255, 255, 255, 90))
        for (handle, place) in [(PropGizmo.Handle.scale, gizmo.scaleHandle), (.move, gizmo.center)] {
            canvas.disc(at: view.canvas(place), radius: 7.5, color: Self.dark)
            canvas.disc(at: view.canvas(place), radius: 5.5, color: color(handle, Self.light))
        }
    }

    /// The head of an arrow.
    private func drawHead(from: Point, to tip: Point, _ canvas: Canvas, _ color: SIMD4<UInt8>) {
        let way = tip - from
        let along = way / max(1, way.length)
        for side in [Point(-along.y, along.x), Point(along.y, -along.x)] {
            canvas.line(from: tip, to: tip - 11 * along + 5 * side, thickness: 2.5, color: color)
        }
    }

    /// The values that a handle changes, as text.
    private static func text(_ handle: PropGizmo.Handle, _ placement: PropPlacement) -> String {
        func number(_ value: Float) -> String { decimal(value, places: 2) }
        let (position, rotation) = (placement.position, placement.rotation)
        return switch handle {
        case .move:
            "right \(number(position.x)), down \(number(position.y)), forward \(number(position.z))"
        case .moveAlong(.right): "right \(number(position.x))"
        case .moveAlong(.down): "down \(number(position.y))"
        case .moveAlong(.forward): "forward \(number(position.z))"
        case .turnAround:
            "nod \(decimal(rotation.x, places: 1))°, turn \(decimal(rotation.y, places: 1))°, "
                + "tilt \(decimal(rotation.z, places: 1))°"
        case .scale: "width \(number(placement.width))"
        }
    }
}
