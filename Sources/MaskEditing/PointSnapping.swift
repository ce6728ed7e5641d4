import FaceGeometry
import Pixels

/// Where a point that is dragged comes to lie: on something near that it probably belongs to.
package struct PointSnapping {
    package enum Target: String, Sendable {
        case mirror = "mirror of the other side"
        case axis = "middle line"
        case sheet = "reference sheet"
        case edge = "painted edge"
    }

    /// Places that draw it on, with what they are.
    package var places: [(place: Point, target: Target)] = []
    /// The middle line, for points that belong on it.
    package var axis: PointSymmetry?

    package init() {}

    /// - Parameters:
    ///   - radius: how near something must be, in pixels of the texture.
    ///   - texture: `rgba8`, whose painted edges count too.
    /// - Returns: the place itself and nil when nothing is near.
    package func snapped(
        _ place: Point, radius: Float, texture: borrowing PixelBuffer
    ) -> (place: Point, target: Target?) {
        var candidates = places
        if let axis { candidates.append((axis.nearest(to: place), .axis)) }
        let near = candidates.filter { ($0.place - place).length <= radius }
        if let best = near.min(by: { ($0.place - place).length < ($1.place - place).length }) {
            return (best.place, best.target)
        }
        if let edge = Self.strongestEdge(near: place, radius: min(radius, 24), in: texture) { return (edge, .edge) }
        return (place, nil)
    }

    /// The middle of the pixel whose surroundings differ most, seen from near; nil where nothing differs much.
    private static func strongestEdge(near place: Point, radius: Float, in texture: borrowing PixelBuffer) -> Point? {
        let reach = Int(radius.rounded(.up))
        // Far outside whole numbers would overflow.
        guard abs(place.x) < 1e6, abs(place.y) < 1e6, reach > 0 else { return nil }
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        var best: (strength: Float, place: Point)?
        for y in max(1, row - reach)..<max(1, min(texture.height - 1, row + reach + 1)) {
            for x in max(1, column - reach)..<max(1, min(texture.width - 1, column + reach + 1)) {
                let middle = Point(Float(x) + 0.5, Float(y) + 0.5)
                let distance = (middle - place).length
                guard distance <= radius else { continue }
                func value(_ dx: Int, _ dy: Int) -> Float {
                    let pixel = SIMD4<Float>(texture[x + dx, y + dy])
                    return (0.3 * pixel.x + 0.6 * pixel.y + 0.1 * pixel.z) * pixel.w / 255 + 0.5 * pixel.w
                }
                let across = value(1, 0) - value(-1, 0)
                let down = value(0, 1) - value(0, -1)
                // Of two edges alike the nearer one.
                let strength = (across * across + down * down).squareRoot() * (1 - 0.5 * distance / radius)
                if strength > max(40, best?.strength ?? 0) { best = (strength, middle) }
            }
        }
        return best?.place
    }
}
