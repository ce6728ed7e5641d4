import FaceGeometry

/// The occluders of a face in one picture: how much of each place shows something other than the face and its mask.
package struct OcclusionMatte: Sendable {
    /// The part of the picture that it covers, in pixels. Outside, nothing occludes the face.
    package let box: FaceBox
    package let width: Int
    package let height: Int
    /// Row by row: 0 (the face) … 255 (an occluder), at the centres of equal cells of the box. Between them it is
    /// interpolated.
    package let alpha: [UInt8]

    package init(box: FaceBox, width: Int, height: Int, alpha: [UInt8]) {
        precondition(width > 0 && height > 0 && alpha.count == width * height)
        (self.box, self.width, self.height, self.alpha) = (box, width, height, alpha)
    }

    /// The union of two mattes. The finer cells of both are kept.
    func union(_ other: OcclusionMatte) -> OcclusionMatte {
        let low = Point(min(box.x, other.box.x), min(box.y, other.box.y))
        let high = Point(
            max(box.x + box.width, other.box.x + other.box.width),
            max(box.y + box.height, other.box.y + other.box.height))
        let step = min(box.width / Float(width), other.box.width / Float(other.width))
        let (columns, rows) = (Int(((high.x - low.x) / step).rounded(.up)), Int(((high.y - low.y) / step).rounded(.up)))
        let area = FaceBox(x: low.x, y: low.y, width: Float(columns) * step, height: Float(rows) * step)
        var alpha = [UInt8](repeating: 0, count: columns * rows)
        for matte in [self, other] { matte.raise(&alpha, columns: columns, rows: rows, origin: low, step: step) }
        return OcclusionMatte(box: area, width: columns, height: rows, alpha: alpha)
    }

    /// Raises cells of another box to at least its own values there, as `interpolated` has them.
    /// - Parameters:
    ///   - result: of the cells, row by row.
    ///   - origin: of the box, in pixels.
    ///   - step: from one cell to the next, in pixels.
    private func raise(_ result: inout [UInt8], columns: Int, rows: Int, origin: Point, step: Float) {
        // The places of the columns of the result are the same in each of its rows.
        let across = (0..<columns).map { Self.place(origin.x + step * (Float($0) + 0.5), box.x, box.width, width) }
        let reach = across.indices.filter { across[$0].cell >= -1 && across[$0].cell < width }
        guard let first = reach.first, let last = reach.last else { return }
        alpha.withUnsafeBufferPointer { alpha in
            result.withUnsafeMutableBufferPointer { result in
                for y in 0..<rows {
                    let (row, fy) = Self.place(origin.y + step * (Float(y) + 0.5), box.y, box.height, height)
                    guard row >= -1, row < height else { continue }
                    for x in first...last {
                        let (column, fx) = across[x]
                        func value(_ x: Int, _ y: Int) -> Float {
                            x >= 0 && y >= 0 && x < width && y < height ? Float(alpha[y * width + x]) : 0
                        }
                        let above = (1 - fx) * value(column, row) + fx * value(column + 1, row)
                        let below = (1 - fx) * value(column, row + 1) + fx * value(column + 1, row + 1)
                        let index = y * columns + x
                        result[index] = max(result[index], UInt8((1 - fy) * above + fy * below + 0.5))
                    }
                }
            }
        }
    }

    /// Where a coordinate lies among cells: after the centre of which one, and by how much.
    private static func place(
        _ coordinate: Float, _ origin: Float, _ size: Float, _ count: Int
    ) -> (cell: Int, fraction: Float) {
        let cell = (coordinate - origin) / size * Float(count) - 0.5
        let whole = cell.rounded(.down)
        return (Int(whole), cell - whole)
    }

    /// At a place of the picture; nothing beyond the box.
    package func interpolated(at place: Point) -> UInt8 {
        let cell =
            (place - Point(box.x, box.y)) / Point(box.width, box.height) * Point(Float(width), Float(height)) - 0.5
        let (column, row) = (Int(cell.x.rounded(.down)), Int(cell.y.rounded(.down)))
        let (fx, fy) = (cell.x - Float(column), cell.y - Float(row))
        func value(_ x: Int, _ y: Int) -> Float {
            x >= 0 && y >= 0 && x < width && y < height ? Float(alpha[y * width + x]) : 0
        }
        let above = (1 - fx) * value(column, row) + fx * value(column + 1, row)
        let below = (1 - fx) * value(column, row + 1) + fx * value(column + 1, row + 1)
        return UInt8((1 - fy) * above + fy * below + 0.5)
    }

    /// At a place of the picture, 0…1, without interpolation.
    package func value(at place: Point) -> Float {
        let x = Int(((place.x - box.x) / box.width * Float(width)).rounded(.down))
        let y = Int(((place.y - box.y) / box.height * Float(height)).rounded(.down))
        guard x >= 0, y >= 0, x < width, y < height else { return 0 }
        return Float(alpha[y * width + x]) / 255
    }
}
