import FaceGeometry
import Glibc

/// The symmetry axis of a face on a texture.
package struct PointSymmetry: Sendable {
    /// A point of the axis, in pixels of the texture.
    package let center: Point
    /// The axis's direction, of length 1.
    package let direction: Point

    /// The mirror image of a vertex among the 79 of the mesh; a vertex on the axis is its own.
    package static func partner(of vertex: Int) -> Int {
        let mirrored = Landmarks.topology.mirrored
        return mirrored.indices.contains(vertex) ? mirrored[vertex] : vertex
    }

    /// Fits the axis to the middles of all pairs and to the points without a partner, by total least squares.
    /// - Parameter vertices: 68 or 79, in pixels.
    package init(_ vertices: [Point]) {
        let middles = vertices.indices.compactMap { index -> Point? in
            let partner = Self.partner(of: index)
            return index <= partner && partner < vertices.count ? (vertices[index] + vertices[partner]) / 2 : nil
        }
        let mean = middles.reduce(Point.zero, +) / Float(max(1, middles.count))
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        for place in middles {
            let offset = place - mean
            xx += offset.x * offset.x
            xy += offset.x * offset.y
            yy += offset.y * offset.y
        }
        let angle = 0.5 * atan2(2 * xy, xx - yy)
        center = mean
        direction = Point(cos(angle), sin(angle))
    }

    package func mirrored(_ place: Point) -> Point {
        let onAxis = nearest(to: place)
        return onAxis + (onAxis - place)
    }

    /// The point of the axis nearest to a place.
    package func nearest(to place: Point) -> Point {
        center + ((place - center) * direction).sum() * direction
    }
}
