import FaceGeometry
import Glibc

/// The middle line of a face on a texture, and what lies on the other side of it.
package struct PointSymmetry: Sendable {
    /// A point of the line, and its direction, of length 1.
    package let center: Point
    package let direction: Point

    /// The vertex on the other side of the face; of those in the middle, itself.
    package static func partner(of vertex: Int) -> Int {
        let mirrored = Landmarks.topology.mirrored
        return mirrored.indices.contains(vertex) ? mirrored[vertex] : vertex
    }

    /// The line that lies best between all pairs.
    /// - Parameter vertices: 68 or 79, in pixels.
    package init(_ vertices: [Point]) {
        // Middles of pairs, and whoever has no partner: the line through them that leaves the least of their squares.
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
        let onLine = nearest(to: place)
        return onLine + (onLine - place)
    }

    /// The point of the line nearest to a place.
    package func nearest(to place: Point) -> Point {
        center + ((place - center) * direction).sum() * direction
    }
}
