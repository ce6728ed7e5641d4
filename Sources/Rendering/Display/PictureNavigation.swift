/// Zoom and position of a picture on a canvas.
package struct PictureNavigation {
    /// Window units per pixel of the picture; nil: the canvas shows the wanted square, or the whole picture.
    package private(set) var zoom: Float?
    /// The side of the square that the canvas shows until the user zooms, in pixels of the picture; nil: the whole picture.
    private var extent: Float?
    /// The point of the picture at the centre of the canvas, as fractions of its size.
    package private(set) var middle = Place(0.5, 0.5)
    /// Likewise the one that is to be there until the user zooms, as far as the picture reaches.
    private var wanted = Place(0.5, 0.5)
    package typealias Place = Canvas.Place
    /// Notches of the wheel that keys have asked for, at the centre of the canvas.
    private var notches: Float = 0
    private static let zooms: ClosedRange<Float> = 0.02...64

    /// The picture's place on the canvas.
    package struct View {
        /// Window units per pixel.
        package let scale: Float
        /// The picture's upper left corner, in window units.
        package let corner: Place

        package init(scale: Float, corner: Place) { (self.scale, self.corner) = (scale, corner) }

        /// From pixels of the picture to the canvas.
        package func canvas(_ place: Place) -> Place { corner + scale * place }
        /// From the canvas to pixels of the picture.
        package func picture(_ place: Place) -> Place { (place - corner) / scale }
    }

    package init() {}

    package mutating func showAll() { self = PictureNavigation() }

    /// Shows a square of the picture as large as it fits, also when the canvas changes its size.
    /// - Parameters:
    ///   - center: in pixels of the picture.
    ///   - extent: the side of the square, in pixels of the picture.
    package mutating func show(center: Place, extent: Float, of size: Place) {
        self = PictureNavigation()
        self.extent = max(1, extent)
        wanted = center / size
        middle = wanted
    }

    /// The centre of what a canvas shows: as near to the wanted one as the edges of the picture allow; the picture's own
    /// where all of it is shown.
    /// - Parameters:
    ///   - part: of the picture that the canvas shows, 1: all of it.
    ///   - wanted: as fractions of the picture, as the result.
    package static func filling(_ part: Place, around wanted: Place) -> Place {
        let half = part / 2
        let near = pointwiseMax(half, pointwiseMin(Place(1, 1) - half, wanted))
        return near.replacing(with: 0.5, where: part .>= 1)
    }

    /// Zooms at the centre of the canvas when that is shown next, as so many notches of the wheel do.
    package mutating func zoom(by notches: Float) { self.notches += notches }

    private mutating func zoom(_ scale: Float, by notches: Float, at place: Place, _ canvas: Canvas, size: Place) {
        var factor: Float = 1
        for _ in 0..<min(20, Int(abs(notches).rounded(.up))) { factor *= notches > 0 ? 1.2 : 1 / 1.2 }
        let new = Self.clamped(scale * factor)
        let held = (place - canvas.size / 2) / (scale * size) + middle
        middle = held - (place - canvas.size / 2) / (new * size)
        zoom = new
    }

    private static func clamped(_ zoom: Float) -> Float { min(zooms.upperBound, max(zooms.lowerBound, zoom)) }

    /// Applies the mouse: the wheel zooms at the pointer, the middle and right buttons move the picture.
    /// - Parameters:
    ///   - size: the picture's, in pixels.
    ///   - margin: the free space around the whole picture, as a fraction of the canvas.
    ///   - zooms: whether the wheel zooms.
    ///   - isForLooking: whether the left button, too, moves a picture that is larger than the canvas, a double click shows
    ///     the whole picture, and no picture is smaller than that.
    ///   - obeysDoubleClick: whether a double click does so; where clicks mean something else, it does not.
    package mutating func navigate(
        _ canvas: Canvas, size: Place, margin: Float = 0, zooms: Bool = true, isForLooking: Bool = false,
        obeysDoubleClick: Bool = true
    ) -> View {
        let fitting =
            extent.map { Self.clamped(min(canvas.size.x, canvas.size.y) / $0) }
            ?? (1 - margin) * min(canvas.size.x / size.x, canvas.size.y / size.y)
        let scale = zoom ?? fitting
        // Nothing beside the picture is shown as long as there is picture to show.
        if zoom == nil { middle = Self.filling(canvas.size / (scale * size), around: wanted) }
        if zooms, canvas.wheel != 0 { zoom(scale, by: canvas.wheel, at: canvas.mouse, canvas, size: size) }
        if notches != 0 { zoom(zoom ?? scale, by: notches, at: canvas.size / 2, canvas, size: size) }
        notches = 0
        if canvas.isPanned || isForLooking && canvas.isHeld {
            middle -= canvas.mouseMotion / (scale * size)
            zoom = zoom ?? scale
        }
        if isForLooking, obeysDoubleClick && canvas.isDoubleClicked || (zoom ?? 0) < 1.01 * fitting { showAll() }
        middle = pointwiseMax(Place(-0.2, -0.2), pointwiseMin(Place(1.2, 1.2), middle))
        return View(scale: zoom ?? fitting, corner: canvas.size / 2 - (zoom ?? fitting) * size * middle)
    }
}
