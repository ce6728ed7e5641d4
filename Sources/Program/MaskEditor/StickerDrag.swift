import Display
import FaceGeometry
import JSON
import MaskAuthoring
import Masks

/// Moves the selected sticker with the mouse, over the picture of who wears the mask.
final class StickerDrag {
    private let package: EditedPackage
    private let reference: ReferenceFace
    private var drag: Drag?
    /// Tells drags apart: each is a step of its own.
    private var dragCount = 0

    private struct Drag {
        /// In pixels of the picture.
        let start: Point
        /// The sticker's offset from its anchor at the start, in face widths.
        let offset: Point
        /// The document's revision after the last change: if another one follows, the drag ends.
        var revision: Int
    }

    init(_ package: EditedPackage, reference: ReferenceFace) { (self.package, self.reference) = (package, reference) }

    /// Applies the mouse, and says what it does.
    /// - Parameter faces: in the picture; the sticker moves as the mouse does over the largest.
    func draw(_ canvas: Canvas, _ view: PictureNavigation.View, faces: [FaceInstance]) {
        guard let layer = package.selectedLayer, layer.layerType == .sticker,
            let face = faces.max(by: { $0.face.box.area < $1.face.box.area })?.face
        else {
            drag = nil
            return
        }
        if drag?.revision != package.history.revision { drag = nil }
        let mouse = view.picture(canvas.mouse)
        if canvas.isPressed, !canvas.isPanned {
            dragCount += 1
            drag = Drag(start: mouse, offset: Self.offset(of: layer), revision: package.history.revision)
        }
        if canvas.isHeld, canvas.mouseMotion != .zero { move(to: mouse, over: face) }
        if !canvas.isHeld { drag = nil }
        if canvas.isHovered {
            canvas.paragraph("Drag to move the sticker.", at: Point(14, canvas.size.y - 26))
        }
    }

    private static func offset(of layer: JSONValue) -> Point {
        let numbers = layer["offset"]?.elements.compactMap(\.number) ?? []
        return numbers.count == 2 ? Point(Float(numbers[0]), Float(numbers[1])) : .zero
    }

    private func move(to mouse: Point, over face: Face) {
        guard let drag, let path = package.selection, let way = face.camera.referenceOffset(mouse - drag.start) else {
            return
        }
        let moved = drag.offset + way / reference.width
        guard moved.x.isFinite, moved.y.isFinite else { return }
        let offset = pointwiseMax(Point(-3, -3), pointwiseMin(Point(3, 3), moved))
        package.change("move the sticker", edit: "sticker \(dragCount)") {
            $0[layer: path]?["offset"] = .array([.rounded(offset.x), .rounded(offset.y)])
        }
        self.drag?.revision = package.history.revision
    }
}
