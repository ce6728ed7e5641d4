import FaceGeometry

/// The mesh of a face after the deformations of a mask.
struct DeformedMesh {
    /// The positions of the refined mesh in the picture, pixels.
    let vertices: [Point]
    /// The positions of the plain mesh in the picture, pixels.
    let coarse: [Point]

    /// - Parameters:
    ///   - vertices: of the plain mesh in the picture.
    ///   - offsets: added to the vertices; halved up to five times while a triangle would fold, then left out.
    init(_ vertices: [Point], offsets: [Point]?, _ composer: MaskComposer) {
        let coarse = offsets.map { Self.deformed(vertices, $0, composer) } ?? vertices
        self.coarse = coarse
        self.vertices = composer.refinedVertices(coarse)
    }

    private static func deformed(_ vertices: [Point], _ offsets: [Point], _ composer: MaskComposer) -> [Point] {
        composer.points.make { moved in
            var strength: Float = 1
            for _ in 0..<6 {
                moved.removeAll(keepingCapacity: true)
                for index in vertices.indices { moved.append(vertices[index] + strength * offsets[index]) }
                if !composer.mesh.triangles.contains(where: {
                    $0.doubleArea(vertices) > 0 && $0.doubleArea(moved) <= 0
                }) {
                    return
                }
                strength /= 2
            }
            moved.removeAll(keepingCapacity: true)
            moved.append(contentsOf: vertices)
        }
    }
}
