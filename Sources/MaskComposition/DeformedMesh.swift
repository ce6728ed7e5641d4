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
    init(_ vertices: [Point], offsets: [Point]?, refined: RefinedMesh) {
        coarse = offsets.map { Self.deformed(vertices, $0, refined.mesh) } ?? vertices
        self.vertices = refined.vertices(coarse)
    }

    private static func deformed(_ vertices: [Point], _ offsets: [Point], _ mesh: FaceMesh) -> [Point] {
        var strength: Float = 1
        for _ in 0..<6 {
            let moved = zip(vertices, offsets).map { $0 + strength * $1 }
            let folds = mesh.triangles.contains { $0.doubleArea(vertices) > 0 && $0.doubleArea(moved) <= 0 }
            if !folds { return moved }
            strength /= 2
        }
        return vertices
    }
}
