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
    @inline(__always)
    func forEachCell(
        _ triangles: [Triangle], _ canonical: [Point], vertices: [Point], of cells: PictureCells,
        _ body: (Int, Point) -> Void
    ) {
        forEachRow(triangles, canonical, vertices: vertices, of: cells) { row in
            for index in row.cells { body(index, row.start + Float(index - row.cells.lowerBound) * row.across) }
        }
    }

    /// The cells of a triangle in one row of the picture's cells.
    struct Row {
        /// The triangle's index.
        let triangle: Int
        let cells: Range<Int>
        /// The place of the first one in the grid, in its cells from the centre of the first, and from each to the next.
        let start: Point
        let across: Point
    }

    /// Draws as `forEachCell` does.
    @inline(__always)
    func forEachRow(
        _ triangles: [Triangle], _ canonical: [Point], vertices: [Point], of cells: PictureCells,
        _ body: (Row) -> Void
    ) {
        let scale = Point(Float(width), Float(height)) / size
        for (index, triangle) in triangles.enumerated() {
            func corner(_ vertex: Int) -> Point { (vertices[vertex] - cells.origin) / cells.step - 0.5 }
            func gridPlace(_ vertex: Int) -> Point { (canonical[vertex] - origin) * scale - 0.5 }
            guard
                let spans = TriangleSpans(
                    corner(triangle.a), corner(triangle.b), corner(triangle.c), width: cells.width,
                    height: cells.height)
            else { continue }
            let (a, b, c) = (gridPlace(triangle.a), gridPlace(triangle.b), gridPlace(triangle.c))
            let across = spans.across.x * a + spans.across.y * b + spans.across.z * c
            for y in spans.rows {
                let weights = spans.weights(y)
                let start = weights.x * a + weights.y * b + weights.z * c
                let columns = spans.columns(weights)
                if columns.isEmpty { continue }
                body(
                    Row(
                        triangle: index,
                        cells: y * cells.width + columns.lowerBound..<y * cells.width + columns.upperBound,
                        start: start + spans.offset(columns.lowerBound) * across, across: across))
            }
        }
    }

    /// Between four cells.
    func interpolated(_ values: [Float], at place: Point) -> Float {
        values.withUnsafeBufferPointer { interpolated($0, at: place) }
    }

    /// Between four cells.
    /// - Parameter values: one for each cell of the grid.
    @inline(__always)
    func interpolated(_ values: UnsafeBufferPointer<Float>, at place: Point) -> Float {
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

/// The cells of a triangle, row by row: those whose centres lie in it, or so near to an edge that rounding could
/// leave them to neither triangle.
private struct TriangleSpans {
    let rows: ClosedRange<Int>
    /// Those of the grid.
    private let width: Int
    /// What the rest is relative to: with small numbers, it is exact.
    private let origin: Point
    /// The barycentric coordinates there, and their differences from each cell to the next one and the one below.
    private let weights: SIMD3<Float>
    let across: SIMD3<Float>
    private let down: SIMD3<Float>

    /// In cells.
    private static let tolerance: Float = 1e-3

    /// - Parameters:
    ///   - a: a corner, in cells from the centre of the first one, as the others are.
    ///   - width: of the grid, in cells.
    ///   - height: likewise.
    /// - Returns: nil if it faces away, or no cell is in its rows.
    @inline(__always)
    init?(_ a: Point, _ b: Point, _ c: Point, width: Int, height: Int) {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        let (top, bottom) = (min(a.y, b.y, c.y) - Self.tolerance, max(a.y, b.y, c.y) + Self.tolerance)
        // False for what is no number, too.
        guard area > 0, bottom >= 0, top <= Float(height - 1) else { return nil }
        let (first, last) = (Int(max(0, top.rounded(.up))), Int(min(Float(height - 1), bottom)))
        guard first <= last else { return nil }
        (rows, self.width) = (first...last, width)
        origin = a.rounded(.down)
        let (a, b, c) = (a - origin, b - origin, c - origin)
        let (startX, startY) = (SIMD3(b.x, c.x, a.x), SIMD3(b.y, c.y, a.y))
        let (endX, endY) = (SIMD3(c.x, a.x, b.x), SIMD3(c.y, a.y, b.y))
        weights = (startX * endY - startY * endX) / area
        across = (startY - endY) / area
        down = (endX - startX) / area
    }

    /// The barycentric coordinates in the column of `origin`.
    @inline(__always)
    func weights(_ row: Int) -> SIMD3<Float> { weights + (Float(row) - origin.y) * down }

    /// From `origin`.
    @inline(__always)
    func offset(_ column: Int) -> Float { Float(column) - origin.x }

    /// - Parameter weights: of the row.
    @inline(__always)
    func columns(_ weights: SIMD3<Float>) -> Range<Int> {
        var (low, high) = (-origin.x, Float(width - 1) - origin.x)
        for corner in 0..<3 {
            let (slope, weight) = (across[corner], weights[corner])
            if slope > 0 { low = max(low, -weight / slope - Self.tolerance) }
            if slope < 0 { high = min(high, -weight / slope + Self.tolerance) }
            if slope == 0, weight < 0 { return 0..<0 }
        }
        guard low <= high else { return 0..<0 }
        let first = Int((low + origin.x).rounded(.up))
        // Far from the origin, numbers are rounded.
        let end = min(width, Int((high + origin.x).rounded(.down)) + 1)
        return first < end ? first..<end : 0..<0
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
