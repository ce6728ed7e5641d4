import FaceGeometry
import Pixels

/// The soft edge of the cut-out face.
extension PortraitMask {
    /// Makes everything outside the mesh transparent, with a soft edge inside.
    static func featherOutline(of texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh) {
        let edges = FaceMesh.boundary(of: mesh.triangles).map { (vertices[$0.from], vertices[$0.to]) }
        let width = feather * Landmarks.topology.faceWidth(vertices)
        let inside = TriangleCoverage(mesh.triangles, vertices, width: texture.width, height: texture.height)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices {
                    guard inside[x, y] else {
                        row[x] = .zero
                        continue
                    }
                    let place = Point(Float(x), Float(y)) + 0.5
                    // Distances beyond the edge's width do not matter.
                    var nearest = width
                    for (from, to) in edges {
                        let along = to - from
                        let fraction = max(
                            0, min(1, ((place - from) * along).sum() / max((along * along).sum(), 1e-9)))
                        nearest = min(nearest, (place - from - fraction * along).length)
                    }
                    let fraction = nearest / max(width, 1e-6)
                    let alpha = fraction * fraction * (3 - 2 * fraction)
                    row[x].w = UInt8((Float(row[x].w) * alpha).rounded())
                }
            }
        }
    }
}
