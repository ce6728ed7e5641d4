import FaceGeometry

/// How much of the mask is left at each vertex when a head turns: where the mesh is seen edge-on at the face's
/// outline it fades, so that the mask ends softly there and not in a torn line.
enum MeshVisibility {
    /// One value a vertex, 0…1.
    /// - Parameter isSource: whether the face is one that colours are taken from: then they must be seen everywhere, not
    ///   only at the outline.
    static func values(
        vertices: [Point], reference: ReferenceFace, triangles: [Triangle], isSource: Bool = false
    ) -> [Float] {
        // What the triangles around each vertex cover now, and on the reference face.
        var areas = [Float](repeating: 0, count: vertices.count)
        var referenceAreas = areas
        for triangle in triangles {
            let area = triangle.doubleArea(vertices)
            let referenceArea = triangle.doubleArea(reference.vertices)
            for index in triangle.indices {
                areas[index] += area
                referenceAreas[index] += referenceArea
            }
        }
        let scale = areas.reduce(0, +) / max(referenceAreas.reduce(0, +), .leastNormalMagnitude)
        // A face seen in a mirror: all its triangles are turned away, and left out as such.
        guard scale > 0 else { return areas.map { _ in 1 } }
        return vertices.indices.map { index in
            // Inside the face small triangles are expressions (a closed mouth), not a turned head.
            guard isSource || Landmarks.topology.isOnOutline(index), referenceAreas[index] > 0 else { return 1 }
            let share = areas[index] / referenceAreas[index] / scale
            return isSource ? min(1, max(0, (share - 0.2) / 0.25)) : min(1, max(0, (share - 0.05) / 0.15))
        }
    }
}
