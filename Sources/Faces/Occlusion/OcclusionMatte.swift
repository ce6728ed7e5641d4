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
        var alpha: [UInt8] = []
        alpha.reserveCapacity(columns * rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let place = low + step * Point(Float(x) + 0.5, Float(y) + 0.5)
                alpha.append(max(self.interpolated(at: place), other.interpolated(at: place)))
            }
        }
        let area = FaceBox(x: low.x, y: low.y, width: Float(columns) * step, height: Float(rows) * step)
        return OcclusionMatte(box: area, width: columns, height: rows, alpha: alpha)
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
