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
    /// The faces of the photograph with masks.
    private(set) var faces = ShownFaces()
    /// The face under the mouse in the last frame; nil: none, or nobody can choose for it.
    private var pointed: Int?
    /// Where the button of the mouse was pressed, on the canvas; nil: it was not.
    private var pressed: Canvas.Place?
    /// A photograph that is compared with its result; nil: masks are chosen.
    private(set) var comparison: Comparison?
    private var requests = ResultRequests()
    var hasPicture: Bool { original != nil || masked != nil }
    private var navigation = PictureNavigation()

    struct Comparison {
        /// Of one photograph, which may be the last one while the next is read; nil: none has been read.
        fileprivate(set) var pictures: (before: PanelPicture, after: PanelPicture?)?
        fileprivate(set) var isOpening = true
        /// Why there is no result; nil: there is one, or it is being read.
        fileprivate(set) var obstacle: String?
    }

    /// The longer side of each photograph at a zoom of 1, however many pixels it has, in the window's units.
    private static let side: Float = 1000
    /// Beside the list of keys, in the window's units; where there is less room, that covers a part of it.
    private static let leastWidth: Float = 200

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
    func showUnmasked() { (masked, faces) = (nil, ShownFaces()) }

    /// A photograph is to be compared with its result.
    /// - Returns: whether that is to be read now. Otherwise `show` says when.
    func compare(_ photograph: FilePath) -> Bool {
        fit()
        var new = comparison ?? Comparison()
        (new.isOpening, new.obstacle) = (true, nil)
        comparison = new
        return requests.begin(photograph)
    }

    /// Shows a photograph and its result, if it is still the one that is wanted.
    /// - Returns: the photograph whose result is to be read next; nil: none.
    func show(_ photograph: FilePath, _ compared: PhotographTasks.Compared) -> FilePath? {
        let next = requests.end(photograph)
        guard comparison != nil, requests.wanted == photograph else { return next }
        var shown = Comparison(isOpening: false)
        switch compared {
        case .success(let pair):
            let before = PanelPicture(pair.before.pixels, for: .photograph)
            switch pair.after {
            case .success(let after): shown.pictures = (before, PanelPicture(after.pixels, for: .photograph))
            case .failure(let obstacle): (shown.pictures, shown.obstacle) = ((before, nil), obstacle.description)
            }
        case .failure(let obstacle): shown.obstacle = obstacle.description
        }
        comparison = shown
        return nil
    }

    /// Masks are chosen again.
    func endComparison() {
        requests.stop()
        guard comparison != nil else { return }
        fit()
        comparison = nil
    }

    private func begin(_ photograph: FilePath) {
        if photograph != self.photograph { (original, masked, faces) = (nil, nil, ShownFaces()) }
        self.photograph = photograph
    }

    /// Another photograph is to come, all of it in sight.
    func leave() {
        fit()
        isClose = false
    }

    func clear() {
        endComparison()
        leave()
        (photograph, original, masked, faces) = (nil, nil, nil, ShownFaces())
    }

    func zoom(by notches: Float) { navigation.zoom(by: notches) }
    /// Brings all of the photograph in sight.
    func fit() { navigation.showAll() }

    /// Draws the photograph in the room beside the panel.
    /// - Parameters:
    ///   - isOriginal: whether without masks.
    ///   - label: what a face wears, for the user, by the folder of the mask; nil: faces cannot be chosen.
    /// - Returns: the index of the face that is clicked; nil: none is.
    func draw(_ panels: Panels, isOriginal: Bool, label: ((FilePath?) -> String)?) -> Int? {
        guard let picture = isOriginal ? original ?? masked : masked ?? original else { return nil }
        var clicked: Int?
        let room = room(panels)
        drawCanvas(panels, at: Canvas.Place(room.left, 0), size: room.size) { canvas in
            let size = Self.size(of: picture)
            // Two clicks on a face are two masks further.
            let view = navigation.navigate(
                canvas, size: size, isForLooking: true, obeysDoubleClick: pointed == nil)
            canvas.picture(picture, at: view.corner, size: view.scale * size)
            pointed = nil
            guard let label, !isOriginal || masked == nil else { return }
            clicked = drawFaces(canvas, isMoving: panels.mouseRest < 4, size: size, view, label)
        }
        if navigation.zoom != nil { isClose = true }
        if isOriginal, masked != nil { panels.overlay("original", "Original", x: 0.97, y: 0.03) }
        return clicked
    }

    /// At a zoom of 1, in the window's units.
    private static func size(of picture: PanelPicture) -> Canvas.Place {
        let pixels = Canvas.Place(Float(picture.width), Float(picture.height))
        return side / pixels.max() * pixels
    }

    /// The room beside the panel and beside the list of keys, unless that leaves too little.
    private func room(_ panels: Panels) -> (left: Float, size: Canvas.Place) {
        let (window, left) = (panels.windowSize, panels.roomLeft)
        let (width, help) = (window.width - left, panels.overlayWidth("help"))
        let free = help > 0 ? 0.97 * width - help - 8 : width
        return (left, Canvas.Place(free >= Self.leastWidth ? free : width, window.height))
    }

    private func drawCanvas(
        _ panels: Panels, _ name: String = "photograph", at corner: Canvas.Place, size: Canvas.Place,
        content: (Canvas) -> Void
    ) {
        panels.area(name, x: corner.x, y: corner.y, width: size.x, height: size.y) {
            panels.canvas(name, width: size.x, height: size.y, content: content)
        }
    }

    /// Frames the faces while the mouse is over the photograph, with their numbers and what they wear.
    private func drawFaces(
        _ canvas: Canvas, isMoving: Bool, size: Canvas.Place, _ view: PictureNavigation.View,
        _ label: (FilePath?) -> String
    ) -> Int? {
        guard canvas.isHovered else { return nil }
        pointed = faces.face(at: view.picture(canvas.mouse) / size)
        if canvas.isPressed { pressed = canvas.mouse }
        var clicked: Int?
        if canvas.isReleased, let pressed {
            // A photograph that was moved is not clicked.
            let step = canvas.mouse - pressed
            if (step * step).sum() < 16 { clicked = pointed }
            self.pressed = nil
        }
        guard isMoving else { return clicked }
        let texts = faces.all.enumerated().map { (number: "\($0 + 1)", whole: "\($0 + 1) \(label($1.mask))") }
        let boxes = texts.enumerated().map { index, text in
            let share = faces.share(of: index)
            return FaceLabels.Face(
                corner: view.canvas(share.corner * size), size: view.scale * share.size * size,
                number: Self.size(of: text.number, canvas), whole: Self.size(of: text.whole, canvas))
        }
        for (index, box) in boxes.enumerated() {
            Self.frame(canvas, box.corner, box.size, isPointed: index == pointed)
        }
        for (index, arranged) in FaceLabels.arranged(boxes, in: canvas.size).enumerated() {
            guard let (place, isWhole) = arranged, index != pointed else { continue }
            Self.draw(isWhole ? texts[index].whole : texts[index].number, at: place, canvas)
        }
        // Its name is seen, whatever is beside it.
        if let pointed {
            Self.draw(texts[pointed].whole, at: FaceLabels.whole(boxes[pointed], in: canvas.size), canvas)
        }
        return clicked
    }

    /// Of a label with a text.
    private static func size(of text: String, _ canvas: Canvas) -> Canvas.Place {
        Canvas.Place(canvas.width(of: text) + 12, 22)
    }

    private static func draw(_ text: String, at label: FaceLabels.Label, _ canvas: Canvas) {
        canvas.rectangle(at: label.place, size: label.size, color: .init(15, 15, 15, 210))
        canvas.text(text, at: label.place + Canvas.Place(6, 2))
    }

    private static func frame(_ canvas: Canvas, _ corner: Canvas.Place, _ extent: Canvas.Place, isPointed: Bool) {
        let end = corner + extent
        let corners = [corner, .init(end.x, corner.y), end, .init(corner.x, end.y)]
        let color: Canvas.Color = isPointed ? .init(217, 168, 71, 255) : .init(255, 255, 255, 160)
        for (index, place) in corners.enumerated() {
            canvas.line(from: place, to: corners[(index + 1) % 4], thickness: isPointed ? 3 : 1.5, color: color)
        }
    }

    /// Draws the photograph and its result beside each other, or above each other where they are larger so. Both show the same
    /// part.
    func drawComparison(_ panels: Panels) {
        guard let (before, after) = comparison?.pictures else { return }
        let room = room(panels)
        let halves = ComparisonHalves(of: Self.size(of: before), in: room.size)
        for (name, picture, place) in [("Before", before, Canvas.Place(0, 0)), ("After", after, halves.second)] {
            drawCanvas(panels, name, at: Canvas.Place(room.left, 0) + place, size: halves.size) { canvas in
                guard let picture else { return }
                let view = navigation.navigate(canvas, size: Self.size(of: picture), isForLooking: true)
                canvas.picture(picture, at: view.corner, size: view.scale * Self.size(of: picture))
                // In sight, whatever part is magnified.
                let corner = pointwiseMax(view.corner, Canvas.Place(4, 4))
                Self.draw(name, at: .init(place: corner, size: Self.size(of: name, canvas)), canvas)
            }
        }
    }
}
