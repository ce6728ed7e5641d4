import FaceGeometry

/// The cells of a grid over the reference face that lie on it: where the colours of a face are read for make-up.
struct FaceTexels {
    /// In one direction: 0.9 % of the template.
    private static let perUnit: Float = 176

    struct Texel {
        /// Of the grid.
        let index: Int
        let triangle: Triangle
        /// Barycentric.
        let weights: SIMD3<Float>
        /// In canonical UV.
        let place: Point
    }

    let width: Int
    let height: Int
    let texels: [Texel]
    /// The part of canonical UV under the grid.
    let origin: Point
    let size: Point
    /// Of the mesh, in canonical UV.
    let faceWidth: Float
    /// Of a texel, in canonical UV.
    var spacing: Float { 1 / Self.perUnit }

    init(_ mesh: FaceMesh, reference: ReferenceFace) {
        let box = FaceBox(around: reference.vertices)
        faceWidth = box.width
        // With a margin of a texel, in which nothing is changed.
        let first = Point(
            (box.x * Self.perUnit).rounded(.down) - 1, (box.y * Self.perUnit).rounded(.down) - 1)
        let end = Point(
            ((box.x + box.width) * Self.perUnit).rounded(.up) + 1,
            ((box.y + box.height) * Self.perUnit).rounded(.up) + 1)
        origin = first / Self.perUnit
        size = (end - first) / Self.perUnit
        (width, height) = (Int(end.x - first.x), Int(end.y - first.y))
        var texels: [Texel] = []
        for y in 0..<height {
            for x in 0..<width {
                let place = origin + (Point(Float(x), Float(y)) + 0.5) / Self.perUnit
                for triangle in mesh.triangles {
                    guard let weights = triangle.weights(of: place, reference.vertices) else { continue }
                    texels.append(Texel(index: y * width + x, triangle: triangle, weights: weights, place: place))
                    break
                }
            }
        }
        self.texels = texels
    }

    /// Places of canonical UV as texture coordinates on the grid.
    func coordinates(_ canonicalUV: [Point]) -> [Point] { canonicalUV.map { ($0 - origin) / size } }
}

extension Triangle {
    /// Barycentric; nil outside.
    func weights(of place: Point, _ vertices: [Point]) -> SIMD3<Float>? {
        func area(_ p: Point, _ q: Point) -> Float {
            (p.x - place.x) * (q.y - place.y) - (p.y - place.y) * (q.x - place.x)
        }
        let (a, b, c) = (vertices[a], vertices[b], vertices[c])
        let parts = SIMD3(area(b, c), area(c, a), area(a, b))
        guard parts.min() >= 0, parts.sum() > 0 else { return nil }
        return parts / parts.sum()
    }
}
