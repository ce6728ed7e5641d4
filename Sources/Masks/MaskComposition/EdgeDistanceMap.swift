import FaceGeometry

/// The distance of each place in canonical UV from the boundary of the mesh. Soft edges are derived from it, so that
/// they have the same width everywhere and do not show the triangles.
package struct EdgeDistanceMap {
    /// Texels per side; distances are smooth, so a coarse map interpolates well.
    package static let side = 256
    /// Larger distances are clamped; in canonical UV.
    package static let range: Float = 0.1
    /// Around eyes and mouth the soft edge is narrower by this factor; a wide one would show bare skin around them.
    static let rimSharpness: Float = 3

    /// Row by row from the top; 0: on the boundary or outside, 255: inside by `range` or more.
    package let texels: [UInt8]

    /// - Parameters:
    ///   - triangles: of the mesh, without openings.
    ///   - vertices: of the reference face.
    package init(triangles: [Triangle], vertices: [Point]) {
        let rims = Set(FaceMesh.rims.map(\.undirected))
        let edges = FaceMesh.boundary(of: triangles).map { edge in
            (vertices[edge.from], vertices[edge.to], rims.contains(edge) ? Self.rimSharpness * Self.rimSharpness : 1)
        }
        var texels = [UInt8](repeating: 0, count: Self.side * Self.side)
        for triangle in triangles {
            let corners = triangle.indices.map { vertices[$0] }
            let bounds = FaceBox(around: corners)
            for y in Self.texels(from: bounds.y, to: bounds.y + bounds.height) {
                for x in Self.texels(from: bounds.x, to: bounds.x + bounds.width) {
                    let place = Point(Float(x) + 0.5, Float(y) + 0.5) / Float(Self.side)
                    guard Self.contains(corners, place) else { continue }
                    let squared = edges.reduce(Float.infinity) {
                        min($0, $1.2 * Self.squaredDistance(place, $1.0, $1.1))
                    }
                    let distance = min(1, squared.squareRoot() / Self.range)
                    texels[y * Self.side + x] = UInt8((distance * 255).rounded())
                }
            }
        }
        self.texels = texels
    }

    private static func texels(from low: Float, to high: Float) -> ClosedRange<Int> {
        let first = max(0, min(side - 1, Int(low * Float(side))))
        return first...max(first, min(side - 1, Int(high * Float(side))))
    }

    private static func contains(_ corners: [Point], _ place: Point) -> Bool {
        (0..<3).allSatisfy { index in
            let from = corners[index]
            let edge = corners[(index + 1) % 3] - from
            let offset = place - from
            return edge.x * offset.y - edge.y * offset.x >= 0
        }
    }

    /// Of a place from a segment.
    static func squaredDistance(_ place: Point, _ from: Point, _ to: Point) -> Float {
        let edge = to - from
        let offset = place - from
        let fraction = max(0, min(1, (edge * offset).sum() / max((edge * edge).sum(), 1e-12)))
        let rest = offset - fraction * edge
        return (rest * rest).sum()
    }
}
