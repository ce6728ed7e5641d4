import Display
import FaceGeometry

/// The picture with its faces: zoom, clicks, and what is being dragged.
struct ReviewCanvas {
    /// What the mouse has done.
    enum Action {
        case toggle(Int)
        case add(FaceBox)
        /// A press on the result: its faces may be elsewhere.
        case leaveResult
    }

    private var navigation = PictureNavigation()
    private var shown: (picture: ReviewPicture, panel: PanelPicture)?
    private var shownResult: (picture: ReviewPicture, panel: PanelPicture)?
    /// Where the left button was pressed, in pixels of the picture; nil: it is not held.
    private var grip: Point?
    private var isDragging = false
    /// Whether the chosen face is to be magnified in the next frame.
    private var zoomsIn = false
    /// A box that is being placed with keys.
    var placed: FaceBox?
    var result = ResultView()

    /// How far the mouse moves in a click, in window units.
    private static let clickReach: Float = 4

    mutating func showAll() { navigation.showAll() }
    mutating func zoomIn() { zoomsIn = true }

    /// Another picture is about to be shown: nothing of the old one is to be done to it.
    mutating func forgetGrip() { (grip, isDragging, placed) = (nil, false, nil) }

    /// - Parameter keepsView: whether another picture is shown at the same zoom and place.
    mutating func draw(_ scene: ReviewScene, chosen: Int?, keepsView: Bool, _ canvas: Canvas) -> Action? {
        let written = try? scene.result?.get()
        result.begin(wearsMasks: scene.wearsMasks, hasResult: scene.picture != nil && written != nil)
        guard let picture = scene.picture else {
            forgetGrip()
            switch scene.content {
            case .waiting(let text): canvas.paragraph(text, at: Point(20, 20), color: ReviewColors.faint)
            case .obstacle(let text): canvas.paragraph(text, at: Point(20, 20), color: ReviewColors.uncovered)
            case .picture: break
            }
            return nil
        }
        let panel = panel(of: picture, keepsView: keepsView)
        if zoomsIn, let chosen, scene.faces.indices.contains(chosen) {
            let box = scene.faces[chosen].box
            navigation.show(center: box.center, extent: 7 * max(box.width, box.height), of: picture.size)
        }
        zoomsIn = false
        let view = navigation.navigate(canvas, size: picture.size, margin: 0.01)
        canvas.checkers(at: view.corner, size: view.scale * picture.size, side: 8)
        canvas.picture(panel, at: view.corner, size: view.scale * picture.size)
        if result.isDrawn, let written {
            draw(written, canvas, view, picture.size)
            forgetGrip()
            return canvas.isPressed ? .leaveResult : nil
        }
        let drawing = CoverDrawing(canvas: canvas, view: view)
        // What the mouse is on can be seen.
        let hovered = canvas.isHovered ? Self.face(at: view.picture(canvas.mouse), among: scene.faces) : nil
        for (index, face) in scene.faces.enumerated() {
            if result.hidesFaces {
                drawing.drawOpaque(face)
            } else if index != chosen {
                drawing.draw(face, isChosen: false, isSeenThrough: index == hovered)
            }
        }
        if !result.hidesFaces, let chosen, scene.faces.indices.contains(chosen) {
            drawing.draw(scene.faces[chosen], isChosen: true, isSeenThrough: chosen == hovered)
        }
        if let placed { drawing.draw(ReviewFace(box: placed, origin: .added), isChosen: true) }
        return followMouse(scene.faces, picture.size, canvas, view)
    }

    private mutating func panel(of picture: ReviewPicture, keepsView: Bool) -> PanelPicture {
        if let shown, shown.picture === picture { return shown.panel }
        if !keepsView { navigation.showAll() }
        let panel: PanelPicture
        if let old = shown?.panel {
            panel = old
            panel.update(picture.pixels)
        } else {
            panel = PanelPicture(picture.pixels, for: .photograph)
        }
        shown = (picture, panel)
        return panel
    }

    /// One that was turned by hand has other sides: it is shown as a whole.
    private mutating func draw(
        _ result: ReviewPicture, _ canvas: Canvas, _ view: PictureNavigation.View, _ size: Point
    ) {
        if shownResult?.picture !== result {
            shownResult = (result, PanelPicture(result.pixels, for: .photograph))
        }
        guard let panel = shownResult?.panel else { return }
        let scale = (size / result.size).min() * view.scale
        let middle = view.canvas(size / 2)
        canvas.rectangle(at: view.corner, size: view.scale * size, color: Canvas.Color(15, 15, 18, 255))
        canvas.picture(panel, at: middle - scale / 2 * result.size, size: scale * result.size)
    }

    private mutating func followMouse(
        _ faces: [ReviewFace], _ size: Point, _ canvas: Canvas, _ view: PictureNavigation.View
    ) -> Action? {
        if canvas.isPressed { (grip, isDragging) = (view.picture(canvas.mouse), false) }
        guard let grip else { return nil }
        if (view.canvas(grip) - canvas.mouse).length > Self.clickReach { isDragging = true }
        let box = isDragging ? FaceBox(covering: grip, view.picture(canvas.mouse), in: size) : nil
        guard canvas.isHeld else {
            self.grip = nil
            guard canvas.isReleased else { return nil }
            if isDragging { return box.map(Action.add) }
            return Self.face(at: grip, among: faces).map(Action.toggle)
        }
        if let box {
            CoverDrawing(canvas: canvas, view: view).draw(ReviewFace(box: box, origin: .added), isChosen: true)
            Self.frame(view.canvas(grip), canvas.mouse, canvas)
        }
        return nil
    }

    private static func frame(_ a: Point, _ b: Point, _ canvas: Canvas) {
        let corners = [a, Point(b.x, a.y), b, Point(a.x, b.y)]
        for index in corners.indices {
            canvas.line(from: corners[index], to: corners[(index + 1) % 4], thickness: 1, color: ReviewColors.chosen)
        }
    }

    /// Of several covers at a place, the smallest one.
    static func face(at place: Point, among faces: [ReviewFace]) -> Int? {
        faces.indices.filter { faces[$0].cover.contains(place) }.min { faces[$0].box.area < faces[$1].box.area }
    }
}
