import FaceGeometry

/// How visible the mask is at each vertex of the mesh. Where a turned head shows the mesh edge-on the mask fades out, so
/// that it ends softly at the outline of the face.
struct MeshVisibility {
    private let triangles: [Triangle]
    /// Twice the area of the triangles around each vertex on the reference face, and in total.
    private let referenceAreas: [Float]
    private let totalReferenceArea: Float

    init(_ triangles: [Triangle], reference: ReferenceFace) {
        self.triangles = triangles
        var areas: [Float] = []
        Self.areas(triangles, reference.vertices, into: &areas)
        referenceAreas = areas
        totalReferenceArea = max(areas.reduce(0, +), .leastNormalMagnitude)
    }

    /// - Parameters:
    ///   - vertices: of the mesh in the picture.
    ///   - isSource: true for a face that colours are taken from: it must be visible everywhere, not only at the outline.
    ///   - values: gets one for each vertex, 0…1; its memory is kept.
    func values(_ vertices: [Point], isSource: Bool = false, into values: inout [Float]) {
        Self.areas(triangles, vertices, into: &values)
        let scale = values.reduce(0, +) / totalReferenceArea
        for index in values.indices {
            // In a mirrored face all triangles face away, and none is drawn. Inside the face small triangles are
            // expressions (a closed mouth), not a turned head.
            guard scale > 0, isSource || Landmarks.topology.isOnOutline(index), referenceAreas[index] > 0 else {
                values[index] = 1
                continue
            }
            let ratio = values[index] / referenceAreas[index] / scale
            values[index] =
                isSource ? min(1, max(0, (ratio - 0.2) / 0.25)) : min(1, max(0, (ratio - 0.05) / 0.15))
        }
    }

    private static func areas(_ triangles: [Triangle], _ vertices: [Point], into areas: inout [Float]) {
        areas.removeAll(keepingCapacity: true)
        for _ in vertices { areas.append(0) }
        for triangle in triangles {
            let area = triangle.doubleArea(vertices)
            areas[triangle.a] += area
            areas[triangle.b] += area
            areas[triangle.c] += area
        }
    }
}
