import FaceGeometry

/// Lines of the template that show the artist where the parts of the face are.
struct TemplateGuide {
    let name: String
    let edges: [Edge]
    /// In 1024ths of the template's side.
    let thickness: Float
    let color: SIMD4<UInt8>

    /// All guides, from the bottom of the layer stack to the top.
    static func all(_ mesh: FaceMesh) -> [TemplateGuide] {
        [
            TemplateGuide(name: "triangulation", edges: mesh.edges, thickness: 1, color: SIMD4(80, 120, 255, 150)),
            TemplateGuide(
                name: "openings and outline", edges: FaceMesh.boundary(of: mesh.triangles) + FaceMesh.rims,
                thickness: 3, color: SIMD4(230, 40, 60, 255)),
            TemplateGuide(
                name: "landmarks", edges: (0..<ReferenceFace.vertexCount).map { Edge(from: $0, to: $0) },
                thickness: 7, color: SIMD4(0, 160, 80, 255)),
        ]
    }
}
