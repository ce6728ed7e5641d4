import FaceGeometry
import Hands

/// A grid over a part of canonical UV, row by row.
struct CanonicalGrid: Sendable {
    let width: Int
    let height: Int
    /// The part of canonical UV that it covers.
    let origin: Point
    let size: Point

    var count: Int { width * height }

    /// The centre of a cell in canonical UV.
    func place(_ index: Int) -> Point {
        let cell = Point(Float(index % width), Float(index / width)) + 0.5
        return origin + cell / Point(Float(width), Float(height)) * size
    }

    /// Draws the grid with a mesh into cells of the picture.
    /// - Parameters:
    ///   - triangles: of the mesh.
    ///   - canonical: its vertices in canonical UV.
    ///   - vertices: in pixels.
    ///   - cells: of the picture.
    ///   - body: gets the index of a cell of the picture, and the place in this grid, in its cells from the centre of the
    ///     first.
    func forEachCell(
        _ triangles: [Triangle], _ canonical: [Point], vertices: [Point], of cells: PictureCells,
        _ body: (Int, Point) -> Void
    ) {
        let scale = Point(Float(width), Float(height)) / size
        for triangle in triangles {
            func corner(_ vertex: Int) -> Point { (vertices[vertex] - cells.origin) / cells.step - 0.5 }
            let (a, b, c) = (corner(triangle.a), corner(triangle.b), corner(triangle.c))
            let box = FaceBox(around: a, b, c)
            let (left, right) = (max(0, Int(box.x.rounded(.up))), min(cells.width - 1, Int(box.x + box.width)))
            let (top, bottom) = (max(0, Int(box.y.rounded(.up))), min(cells.height - 1, Int(box.y + box.height)))
            guard left <= right, top <= bottom else { continue }
            for y in top...bottom {
                for x in left...right {
                    guard let weights = Triangle.barycentric(Point(Float(x), Float(y)), a, b, c) else { continue }
                    let uv =
                        weights.x * canonical[triangle.a] + weights.y * canonical[triangle.b]
                        + weights.z * canonical[triangle.c]
                    body(y * cells.width + x, (uv - origin) * scale - 0.5)
                }
            }
        }
    }

    /// Between four cells.
    func interpolated(_ values: [Float], at place: Point) -> Float {
        let x = max(0, min(Float(width) - 1.001, place.x))
        let y = max(0, min(Float(height) - 1.001, place.y))
        let (column, row) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let index = row * width + column
        let below = index + width
        return (1 - fy) * ((1 - fx) * values[index] + fx * values[index + 1])
            + fy * ((1 - fx) * values[below] + fx * values[below + 1])
    }
}

/// Square cells over a part of a picture.
struct PictureCells {
    /// In pixels.
    let origin: Point
    let step: Float
    let width: Int
    let height: Int

    /// More cells than this are a face that is stretched so far that it is none.
    private static let mostCells = 65_536

    /// - Parameters:
    ///   - box: the area to cover, in pixels.
    ///   - margin: on all sides, in cells.
    ///   - step: in pixels.
    /// - Returns: nil if there would be too many.
    init?(around box: FaceBox, margin: Float, step: Float) {
        self.step = step
        origin = Point(box.x, box.y) - margin * step
        let size = Point(box.width, box.height) / step + 2 * margin
        // Also false for what is no number.
        guard size.x > 0, size.y > 0, size.x < 1e4, size.y < 1e4 else { return nil }
        (width, height) = (Int(size.x.rounded(.up)), Int(size.y.rounded(.up)))
        guard width * height <= Self.mostCells else { return nil }
    }

    /// In pixels.
    var box: FaceBox { FaceBox(x: origin.x, y: origin.y, width: Float(width) * step, height: Float(height) * step) }

    /// Calls `body` with the index and the place in pixels of each cell in the box around a segment and its surroundings.
    func forEachCell(near segment: Segment, within margin: Float, _ body: (Int, Point) -> Void) {
        let low = (pointwiseMin(segment.from, segment.to) - margin - origin) / step - 0.5
        let high = (pointwiseMax(segment.from, segment.to) + margin - origin) / step - 0.5
        // False for what is no number, too.
        guard low.x < Float(width), low.y < Float(height), high.x >= 0, high.y >= 0 else { return }
        let (left, right) = (Int(max(0, low.x)), Int(min(Float(width - 1), high.x)))
        let (top, bottom) = (Int(max(0, low.y)), Int(min(Float(height - 1), high.y)))
        guard left <= right, top <= bottom else { return }
        for y in top...bottom { for x in left...right { body(y * width + x, place(x, y)) } }
    }

    /// The centre of a cell, in pixels.
    func place(_ x: Int, _ y: Int) -> Point { origin + step * Point(Float(x) + 0.5, Float(y) + 0.5) }
}

extension FaceBox {
    /// The smallest box around a triangle.
    fileprivate init(around a: Point, _ b: Point, _ c: Point) {
        let (low, high) = (pointwiseMin(a, pointwiseMin(b, c)), pointwiseMax(a, pointwiseMax(b, c)))
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}
