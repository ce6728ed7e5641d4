import Display
import FaceGeometry
import Files
import Pixels

/// The photograph in the window, as it is and with masks. The user can magnify and move it.
final class PhotographView {
    /// The one that is shown; nil: none is.
    private(set) var photograph: FilePath?
    /// Whether it is shown as it is, though masks are drawn on it.
    var showsOriginal = false
    /// Whether the user has magnified it, so that it needs more pixels.
    private(set) var isClose = false
    private var (original, masked): (PanelPicture?, PanelPicture?)
    /// The faces of the photograph with masks, from left to right.
    private(set) var faces: [ShownFace] = []
    /// Where the button of the mouse was pressed, on the canvas; nil: it was not.
    private var pressed: Canvas.Place?
    /// The result that is compared with the photograph, or why there is none; nil: masks are chosen.
    private(set) var comparison: Comparison?
    var hasPicture: Bool { original != nil || masked != nil }
    private var navigation = PictureNavigation()

    enum Comparison {
        case opening
        case result(PanelPicture)
        case none(String)
    }

    /// The longer side of each photograph at a zoom of 1, however many pixels it has, in the window's units.
    private static let side: Float = 1000

    /// Shows a photograph as it is; with masks, if it has got them already.
    /// - Parameter pixels: nil: it cannot be read.
    func show(_ photograph: FilePath, original pixels: ShownPhotograph?) {
        begin(photograph)
        original = pixels.map { PanelPicture($0.pixels, for: .photograph) }
    }

    func show(_ photograph: FilePath, masked pixels: ShownPhotograph) {
        begin(photograph)
        masked = PanelPicture(pixels.pixels, for: .photograph)
        faces = pixels.faces
    }

    /// Nothing can be drawn on the photograph.
    func showUnmasked() { (masked, faces) = (nil, []) }

    /// A result is to be shown beside the photograph.
    func compare() {
        fit()
        comparison = .opening
    }

    /// - Parameter result: or why there is none.
    func show(_ result: Result<ShownPhotograph, PhotographObstacle>) {
        switch result {
        case .success(let shown): comparison = .result(PanelPicture(shown.pixels, for: .photograph))
        case .failure(let obstacle): comparison = .none(obstacle.description)
        }
    }

    /// - Returns: false: no result was shown.
    func endComparison() -> Bool {
        defer { comparison = nil }
        if comparison != nil { fit() }
        return comparison != nil
    }

    private func begin(_ photograph: FilePath) {
        if photograph != self.photograph { (original, masked, faces) = (nil, nil, []) }
        self.photograph = photograph
    }

    /// Another photograph is to come, all of it in sight.
    func leave() {
        fit()
        isClose = false
    }

    func clear() {
        leave()
        (photograph, original, masked, faces, comparison) = (nil, nil, nil, [], nil)
    }

    func zoom(by notches: Float) { navigation.zoom(by: notches) }
    /// Brings all of the photograph in sight.
    func fit() { navigation.showAll() }

    /// Draws the photograph in the room beside the panel.
    /// - Parameters:
    ///   - isOriginal: whether without masks.
    ///   - label: what a face wears, for the user, by the number of the mask; nil: faces cannot be chosen.
    /// - Returns: the index of the face that is clicked; nil: none is.
    func draw(_ panels: Panels, isOriginal: Bool, label: ((Int?) -> String)?) -> Int? {
        guard let picture = isOriginal ? original ?? masked : masked ?? original else { return nil }
        var clicked: Int?
        drawCanvas(panels) { canvas in
            let pixels = Canvas.Place(Float(picture.width), Float(picture.height))
            let size = Self.side / pixels.max() * pixels
            let view = navigation.navigate(canvas, size: size, isForLooking: true)
            canvas.picture(picture, at: view.corner, size: view.scale * size)
            guard let label, !isOriginal || masked == nil else { return }
            clicked = drawFaces(canvas, isMoving: panels.mouseRest < 4, size: size, view, label)
        }
        if navigation.zoom != nil { isClose = true }
        if isOriginal, masked != nil { panels.overlay("original", "Original", x: 0.97, y: 0.03) }
        return clicked
    }

    private func drawCanvas(_ panels: Panels, content: (Canvas) -> Void) {
        let (window, left) = (panels.windowSize, panels.roomLeft)
        let (width, height) = (window.width - left, window.height)
        panels.area("photograph", x: left, y: 0, width: width, height: height) {
            panels.canvas("photograph", width: width, height: height, content: content)
        }
    }

    /// Frames the faces while the mouse is over the photograph, with their numbers and what they wear.
    private func drawFaces(
        _ canvas: Canvas, isMoving: Bool, size: Canvas.Place, _ view: PictureNavigation.View, _ label: (Int?) -> String
    ) -> Int? {
        guard canvas.isHovered else { return nil }
        let mouse = view.picture(canvas.mouse) / size
        let pointed = faces.firstIndex { $0.box.contains(mouse) }
        if canvas.isPressed { pressed = canvas.mouse }
        var clicked: Int?
        if canvas.isReleased, let pressed {
            // A photograph that was moved is not clicked.
            let step = canvas.mouse - pressed
            if (step * step).sum() < 16 { clicked = pointed }
            self.pressed = nil
        }
        guard isMoving else { return clicked }
        for (index, face) in faces.enumerated() {
            let corner = view.canvas(Canvas.Place(face.box.x, face.box.y) * size)
            let extent = view.scale * Canvas.Place(face.box.width, face.box.height) * size
            Self.frame(canvas, corner, extent, isPointed: index == pointed)
            let text = "\(index + 1) \(label(face.mask))"
            let place = pointwiseMax(Canvas.Place(4, 4), corner - Canvas.Place(0, 24))
            canvas.rectangle(
                at: place, size: Canvas.Place(canvas.width(of: text) + 12, 22), color: .init(15, 15, 15, 210))
            canvas.text(text, at: place + Canvas.Place(6, 2))
        }
        return clicked
    }

    private static func frame(_ canvas: Canvas, _ corner: Canvas.Place, _ extent: Canvas.Place, isPointed: Bool) {
        let end = corner + extent
        let corners = [corner, .init(end.x, corner.y), end, .init(corner.x, end.y)]
        let color: Canvas.Color = isPointed ? .init(217, 168, 71, 255) : .init(255, 255, 255, 160)
        for (index, place) in corners.enumerated() {
            canvas.line(from: place, to: corners[(index + 1) % 4], thickness: isPointed ? 3 : 1.5, color: color)
        }
    }

    /// Draws the photograph and its result beside each other, or above each other where they are larger so.
    func drawComparison(_ panels: Panels) {
        guard let comparison, let before = original else { return }
        drawCanvas(panels) { canvas in
            let pixels = Canvas.Place(Float(before.width), Float(before.height))
            let size = Self.side / pixels.max() * pixels
            let gap: Float = 12
            func fitting(_ whole: Canvas.Place) -> Float { (canvas.size / whole).min() }
            let (beside, above) = (size + Canvas.Place(size.x + gap, 0), size + Canvas.Place(0, size.y + gap))
            let isBeside = fitting(beside) >= fitting(above)
            let whole = isBeside ? beside : above
            let view = navigation.navigate(canvas, size: whole, isForLooking: true)
            let second = view.canvas(isBeside ? Canvas.Place(size.x + gap, 0) : Canvas.Place(0, size.y + gap))
            canvas.picture(before, at: view.corner, size: view.scale * size)
            if case .result(let after) = comparison { canvas.picture(after, at: second, size: view.scale * size) }
            for (text, place) in [("Before", view.corner), ("After", second)] {
                canvas.rectangle(
                    at: place, size: Canvas.Place(canvas.width(of: text) + 12, 22), color: .init(15, 15, 15, 210))
                canvas.text(text, at: place + Canvas.Place(6, 2))
            }
        }
    }
}
