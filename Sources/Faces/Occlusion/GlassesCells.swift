import FaceGeometry

/// Where glasses may be: a grid over the eyes, finer than that of skin, and what is known beforehand about its places.
/// Immutable, so that all faces share it.
final class GlassesCells: Sendable {
    static let grid = CanonicalGrid(width: 160, height: 104, origin: Point(0.2, 0.2), size: Point(0.6, 0.39))

    /// A cell inside the mesh.
    struct Cell: Sendable {
        let index: Int
        let triangle: Triangle
        /// Barycentric coordinates in the triangle.
        let weights: SIMD3<Float>

        func interpolate(_ values: UnsafeBufferPointer<Point>) -> Point {
            weights.x * values[triangle.a] + weights.y * values[triangle.b] + weights.z * values[triangle.c]
        }
    }

    /// Those inside the mesh, row by row.
    let inside: [Cell]
    /// Of the mesh.
    let triangles: [Triangle]
    /// Of the mesh, in canonical UV.
    let vertices: [Point]
    /// Cells that the frame of glasses passes, in each of their columns somewhere: over the bridge of the nose, and under
    /// both eyes.
    let passages: [(cells: Set<Int>, columns: Int)]
    /// Of each cell: whether it shows an eye.
    let isEye: [Bool]

    init(reference: ReferenceFace, mesh: FaceMesh) {
        let grid = Self.grid
        (triangles, vertices) = (mesh.triangles, reference.vertices)
        inside = (0..<grid.count).compactMap { index in
            CanonicalTexels.location(grid.place(index), mesh.triangles, reference.vertices).map {
                Cell(index: index, triangle: $0.0, weights: $0.1)
            }
        }
        func cells(_ x: ClosedRange<Float>, _ y: ClosedRange<Float>) -> Set<Int> {
            Set(
                (0..<grid.count).filter {
                    let place = grid.place($0)
                    return x.contains(place.x) && y.contains(place.y)
                })
        }
        let topology = Landmarks.topology
        let eyes = [topology.rightEye, topology.leftEye].map { eye in eye.outline.map { reference.vertices[$0] } }
        let passages =
            [cells(0.465...0.535, 0.30...0.46)]
            + eyes.map { outline in
                let box = FaceBox(around: outline)
                let (middle, bottom) = (box.x + box.width / 2, box.y + box.height)
                return cells(middle - 0.05...middle + 0.05, bottom + 0.02...bottom + 0.14)
            }
        self.passages = passages.map { cells in (cells, Set(cells.map { $0 % grid.width }).count) }
        let regions = FaceRegions(reference)
        isEye = (0..<grid.count).map { regions.distances(grid.place($0)).eye < 0.01 }
    }
}
