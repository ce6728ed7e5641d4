import Display
import FaceGeometry

/// How a picture is looked at on a canvas: from how near, and at what.
struct PictureNavigation {
    /// Units of the window for a pixel of the picture; nil: as many as there is room for.
    private(set) var zoom: Float?
    /// What of the picture lies in the middle of the canvas, as shares of its size.
    private(set) var middle = Point(0.5, 0.5)
    private static let zooms: ClosedRange<Float> = 0.02...64

    /// Where the picture lies on the canvas.
    struct View {
        let scale: Float
        let corner: Point
    }

    mutating func showAll() { self = PictureNavigation() }

    /// Shows a part of the picture, in its pixels, as large as it fits.
    mutating func show(center: Point, extent: Float, of size: Point, on canvas: Canvas) {
        zoom = Self.clamped(min(canvas.size.x, canvas.size.y) / max(1, extent))
        middle = center / size
    }

    private static func clamped(_ zoom: Float) -> Float { min(zooms.upperBound, max(zooms.lowerBound, zoom)) }

    /// The wheel zooms about the mouse, the middle and the right button move the picture.
    /// - Parameter margin: what is left free around the whole picture, as a share of the canvas.
    mutating func navigate(_ canvas: Canvas, size: Point, margin: Float = 0) -> View {
        let fitting = (1 - margin) * min(canvas.size.x / size.x, canvas.size.y / size.y)
        let scale = zoom ?? fitting
        if canvas.wheel != 0 {
            var factor: Float = 1
            for _ in 0..<min(20, Int(abs(canvas.wheel).rounded(.up))) { factor *= canvas.wheel > 0 ? 1.2 : 1 / 1.2 }
            let new = Self.clamped(scale * factor)
            let held = (canvas.mouse - canvas.size / 2) / (scale * size) + middle
            middle = held - (canvas.mouse - canvas.size / 2) / (new * size)
            zoom = new
        }
        if canvas.isPanned {
            middle -= canvas.mouseMotion / (scale * size)
            zoom = scale
        }
        middle = pointwiseMax(Point(-0.2, -0.2), pointwiseMin(Point(1.2, 1.2), middle))
        return View(scale: zoom ?? fitting, corner: canvas.size / 2 - (zoom ?? fitting) * size * middle)
    }
}
