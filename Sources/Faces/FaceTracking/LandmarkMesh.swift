import FaceGeometry

/// The triangles and edges between landmarks on which the motion of the skin is measured; without those across the
/// openings of eyes and mouth.
struct LandmarkMesh: Sendable {
    let triangles: [Triangle]
    let edges: [Edge]
    /// How far each landmark of the reference face stands out, in its widths.
    private let depths: [Float]

    init(_ mean: MeanFace, _ reference: ReferenceFace) {
        depths = reference.depths.prefix(Landmarks.count).map { $0 / reference.width }
        let topology = Landmarks.topology
        let openings = [topology.rightEye, topology.leftEye, topology.innerLips].map(\.outline)
        triangles = DelaunayTriangulation.triangles(of: mean.landmarks.points)
            .filter { triangle in !openings.contains { triangle.indices.allSatisfy($0.contains) } }
        edges = Set(triangles.flatMap(\.edges).map(\.undirected)).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// A point in a triangle of landmarks.
    struct Place {
        var triangle: Triangle
        /// Barycentric; of the corners a, b and c.
        var weights: SIMD3<Float>
    }

    /// How far a place stands out, in widths of the face.
    func depth(of place: Place) -> Float {
        let corners = SIMD3(depths[place.triangle.a], depths[place.triangle.b], depths[place.triangle.c])
        return (place.weights * corners).sum()
    }

    /// The place of a point on a face; nil outside and in the openings.
    /// - Parameter face: the landmarks.
    func place(of point: Point, on face: Span<Point>) -> Place? {
        for triangle in triangles {
            let a = face[triangle.a]
            let (ab, ac, ap) = (face[triangle.b] - a, face[triangle.c] - a, point - a)
            let area = ab.x * ac.y - ab.y * ac.x
            guard area > 1e-3 else { continue }
            // Divided only where the point is inside: a face has hundreds of points and a hundred triangles.
            let v = ap.x * ac.y - ap.y * ac.x
            guard v >= 0 else { continue }
            let w = ab.x * ap.y - ab.y * ap.x
            guard w >= 0, v + w <= area else { continue }
            return Place(triangle: triangle, weights: SIMD3(area - v - w, v, w) / area)
        }
        return nil
    }
}
