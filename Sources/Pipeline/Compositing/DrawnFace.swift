import FaceGeometry
import Glibc

/// A face that is nobody's: pale and oval in a dark hood, the same on everybody. Only place, size and roll come from
/// the face under it.
struct DrawnFace {
    private static let skin = SIMD3<Float>(228, 214, 198)
    private static let line = SIMD3<Float>(96, 78, 68)
    private static let lips = SIMD3<Float>(186, 122, 112)
    private static let iris = SIMD3<Float>(84, 104, 112)

    private let center: Point
    private let across: Point
    private let down: Point
    /// A pixel, in sides of the box.
    private let pixel: Float

    /// - Parameter box: in pixels, in the convention of dlib's detector.
    init(_ box: OrientedBox) {
        // The cover is wider than the face under it, and so is what is drawn on it.
        let isFinite = box.center.x.isFinite && box.center.y.isFinite && box.side.isFinite && box.roll.isFinite
        let box = isFinite ? box : OrientedBox(center: .zero, side: 1, roll: 0)
        let side = 1.4 * max(1, min(box.side, 1e6))
        center = box.center
        across = Point(cos(box.roll), sin(box.roll)) / side
        down = Point(-sin(box.roll), cos(box.roll)) / side
        pixel = 1 / side
    }

    /// The colour at a place of the picture, in pixels.
    /// - Parameter radius: of the place in the hood (`DrawnHood.radius`).
    func color(at point: Point, inHood radius: Float) -> SIMD4<UInt8> {
        let (x, y) = ((across * (point - center)).sum(), (down * (point - center)).sum())
        let side = abs(x) - 0.19
        var color = Self.skin * (1 - 0.3 * Self.step(0.2, 0.62, Point(1.15 * x, 0.9 * (y - 0.06)).length))
        func paint(_ paint: SIMD3<Float>, _ cover: Float) { color += max(0, min(1, cover)) * (paint - color) }
        /// How much of a pixel lies inside a shape whose edge is at that distance, negative inside.
        func inside(_ distance: Float) -> Float { 0.5 - distance / pixel }
        /// A stroke along a curve, with soft ends.
        func stroke(_ distance: Float, _ width: Float, _ place: Float, _ length: Float) -> Float {
            inside(abs(distance) - width * (1 - 0.9 * Self.step(0.4 * length, length, abs(place))))
                * (abs(place) < length ? 1 : 0)
        }
        // Cheeks.
        paint(SIMD3(214, 160, 142), 0.3 * (1 - Self.step(0, 0.17, Point(abs(x) - 0.27, y - 0.16).length)))
        // Brows.
        paint(Self.line, stroke(y + 0.215 - 1.6 * side * side + 0.06 * side, 0.02, side, 0.13))
        // Eyes: the white between two lids, the iris in it, and the upper lid's line.
        let open = 1 - (side / 0.1) * (side / 0.1)
        let (upper, lower) = (-0.085 - 0.05 * open, -0.085 + 0.03 * open)
        let eye = open > 0 ? min(inside(upper - y), inside(y - lower)) : 0
        paint(SIMD3(248, 246, 242), eye)
        let gaze = Point(side, y + 0.097).length
        paint(Self.iris, min(eye, inside(gaze - 0.042)))
        paint(SIMD3(34, 34, 38), min(eye, inside(gaze - 0.02)))
        paint(Self.line, stroke(y - upper, 0.009, side, 0.11))
        // The nose: a shadow beside its ridge, and its base.
        let height = (y + 0.1) / 0.22
        if height > 0, height < 1 {
            paint(Self.line, 0.28 * height * (1 - Self.step(0, 0.03, abs(abs(x) - 0.03 - 0.035 * height * height))))
        }
        paint(Self.line, 0.7 * stroke(y - 0.14 + 3 * x * x, 0.008, x, 0.065))
        // Lips, and the line between them.
        let width = 1 - (x / 0.15) * (x / 0.15)
        if width > 0 {
            let between = 0.3 - 0.012 * cos(24 * x) * width
            let top = between - 0.032 * width - 0.008 * width * cos(30 * abs(x) - 0.6)
            paint(Self.lips, 0.85 * min(inside(top - y), inside(y - between - 0.045 * width)))
            paint(Self.line, stroke(y - between, 0.007, x, 0.15))
        }
        // The hood around it: in the shadow of its rim, and round towards its edge.
        let cloth = SIMD3<Float>(SIMD4<Float>(FaceCover.color).lowHalf, Float(FaceCover.color.z))
        let oval = Point(x / 0.47, (y - 0.05) / 0.58).length
        let light = (0.55 + 0.65 * Self.step(0, 0.16, oval - 1)) * (1 - 0.5 * Self.step(0.6, 1, radius))
        paint(light * cloth, inside(0.47 * (1 - oval)))
        let bytes = SIMD3<UInt8>(
            truncatingIfNeeded: SIMD3<Int32>(color.clamped(lowerBound: .zero, upperBound: .init(repeating: 255))))
        return SIMD4(bytes, 255)
    }

    /// 0 at the first edge, 1 at the second, smooth between them.
    private static func step(_ low: Float, _ high: Float, _ value: Float) -> Float {
        let share = max(0, min(1, (value - low) / (high - low)))
        return share * share * (3 - 2 * share)
    }
}
