import FaceGeometry
import Pixels

/// Snaps a dragged point to nearby places that it probably belongs to: given places, the symmetry axis, painted edges.
package struct PointSnapping {
    package enum Target: String, Sendable {
        case mirror = "mirrored point"
        case axis = "symmetry axis"
        case reference = "reference position"
        case edge = "painted edge"
    }

    /// Places to snap to, in pixels of the texture.
    package var places: [(place: Point, target: Target)] = []
    /// For points that belong on the symmetry axis; nil for others.
    package var axis: PointSymmetry?

    package init() {}

    /// - Parameters:
    ///   - radius: the largest distance to snap over, in pixels of the texture.
    ///   - texture: `rgba8`. Its painted edges are used if no given place is near.
    /// - Returns: the nearest target's place, or `place` itself and nil if nothing is near.
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

    /// The centre of the pixel with the strongest gradient of brightness and alpha; nil if all gradients are weak.
    private static func strongestEdge(near place: Point, radius: Float, in texture: borrowing PixelBuffer) -> Point? {
        let reach = Int(radius.rounded(.up))
        // Conversion to Int traps on overflow.
        guard abs(place.x) < 1e6, abs(place.y) < 1e6, reach > 0 else { return nil }
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        var best: (strength: Float, place: Point)?
        for y in max(1, row - reach)..<max(1, min(texture.height - 1, row + reach + 1)) {
            for x in max(1, column - reach)..<max(1, min(texture.width - 1, column + reach + 1)) {
                let middle = Point(Float(x) + 0.5, Float(y) + 0.5)
                let distance = (middle - place).length
                guard distance <= radius else { continue }
                // Of two equal edges the nearer one wins.
                let strength = gradient(texture, x, y) * (1 - 0.5 * distance / radius)
                if strength > max(40, best?.strength ?? 0) { best = (strength, middle) }
            }
        }
        return best?.place
    }

    private static func gradient(_ texture: borrowing PixelBuffer, _ x: Int, _ y: Int) -> Float {
        func value(_ x: Int, _ y: Int) -> Float {
            let pixel = SIMD4<Float>(texture[x, y])
            return (0.3 * pixel.x + 0.6 * pixel.y + 0.1 * pixel.z) * pixel.w / 255 + 0.5 * pixel.w
        }
        let across = value(x + 1, y) - value(x - 1, y)
        let down = value(x, y + 1) - value(x, y - 1)
        return (across * across + down * down).squareRoot()
    }
}
