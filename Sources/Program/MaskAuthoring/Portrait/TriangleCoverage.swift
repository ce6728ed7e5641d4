import FaceGeometry

/// The pixels of a picture whose centres lie inside triangles.
struct TriangleCoverage {
    /// Row by row.
    private(set) var bits: [Bool]
    private let width: Int

    /// - Parameter vertices: in pixels of the picture.
    init(_ triangles: [Triangle], _ vertices: [Point], width: Int, height: Int) {
        self.width = width
        bits = [Bool](repeating: false, count: width * height)
        for triangle in triangles {
            let corners = triangle.indices.map { vertices[$0] }
            let bounds = FaceBox(around: corners)
            let columns = max(0, Int(bounds.x))..<max(0, min(width, Int(bounds.x + bounds.width) + 1))
            let rows = max(0, Int(bounds.y))..<max(0, min(height, Int(bounds.y + bounds.height) + 1))
            for y in rows where !columns.isEmpty {
                for x in columns {
                    let place = Point(Float(x), Float(y)) + 0.5
                    let isInside = (0..<3).allSatisfy { index in
                        let edge = corners[(index + 1) % 3] - corners[index]
                        let offset = place - corners[index]
                        return edge.x * offset.y - edge.y * offset.x >= 0
                    }
                    if isInside { bits[y * width + x] = true }
                }
            }
        }
    }

    subscript(x: Int, y: Int) -> Bool { bits[y * width + x] }
}
