import FaceGeometry
import Glibc
import Pixels

/// The outline of the hood of a drawn face: a superellipse around all that is to be covered.
struct DrawnHood {
    private static let exponent: Float = 2.6

    private let center: Point
    /// To the right and down in the face, of length 1.
    private let (across, down): (Point, Point)
    /// Half of its width and height, in pixels.
    private let half: Point
    /// A radius at which nothing is covered, and its power.
    private let (outside, outsidePower): (Float, Float)

    /// - Parameters:
    ///   - corners: of a convex polygon, in pixels of the picture.
    ///   - roll: of the face.
    /// - Returns: nil: there is nothing to be covered, or its place is no place of a picture.
    init?(around corners: [Point], roll: Float) {
        let roll = roll.isFinite ? roll : 0
        (across, down) = (Point(cos(roll), sin(roll)), Point(-sin(roll), cos(roll)))
        let (across, down) = (across, down)
        let places = corners.map { Point((across * $0).sum(), (down * $0).sum()) }
        guard var least = places.first, var most = places.first else { return nil }
        for place in places { (least, most) = (pointwiseMin(least, place), pointwiseMax(most, place)) }
        let (middle, extent) = ((least + most) / 2, (most - least) / 2)
        guard extent.min() > 0, extent.max() < 1e6 else { return nil }
        center = middle.x * across + middle.y * down
        let furthest = places.map { Self.radius(($0 - middle) / extent) }.max() ?? 1
        // Its soft edge is outside.
        half = furthest * extent + Point(1, 1)
        outside = 1 + 0.75 / half.min()
        outsidePower = pow(outside, Self.exponent)
    }

    private static func radius(_ place: Point) -> Float { root(power(place)) }
    /// Of the radius.
    private static func power(_ place: Point) -> Float { pow(abs(place.x), exponent) + pow(abs(place.y), exponent) }
    private static func root(_ power: Float) -> Float { pow(power, 1 / exponent) }

    /// 0 in the middle, 1 at the edge. Where the hood looks the same all over, in its middle half, it is 0, and beyond the soft
    /// edge, it is infinite: that needs no powers.
    /// - Parameter point: in pixels of the picture.
    func radius(at point: Point) -> Float {
        let fromCenter = point - center
        let place = Point((across * fromCenter).sum(), (down * fromCenter).sum()) / half
        // A superellipse lies between a circle and a square.
        if place.length < 0.5 { return 0 }
        if max(abs(place.x), abs(place.y)) > outside { return .infinity }
        let power = Self.power(place)
        return power > outsidePower ? .infinity : Self.root(power)
    }

    /// How much of a pixel is covered, 0 to 1.
    func cover(_ radius: Float) -> Float { max(0, min(1, 0.5 + (1 - radius) * half.min())) }

    /// The part of a picture that it reaches.
    func bounds(in picture: PixelRectangle) -> PixelRectangle {
        // Of the rectangle around it.
        let reach = Point(
            abs(across.x) * half.x + abs(down.x) * half.y, abs(across.y) * half.x + abs(down.y) * half.y)
        func clamped(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit), value))) }
        let (first, end) = (center - reach - 1, center + reach + 1)
        let (x, y) = (clamped(first.x, picture.width), clamped(first.y, picture.height))
        return PixelRectangle(
            x: x, y: y, width: clamped(end.x, picture.width) - x, height: clamped(end.y, picture.height) - y)
    }
}
