import FaceGeometry

/// How far each place of a picture belongs to a person.
package struct PersonMatte: Sendable {
    /// In cells.
    package let width: Int
    package let height: Int
    /// Row by row, at the centres of equal cells of the whole picture: 0 (something else) … 255 (a person).
    package let alpha: [UInt8]

    /// - Parameter place: in the picture, 0…1 from its top left corner.
    /// - Returns: 0…1, between the four nearest cells; 0 outside the picture.
    package func value(at place: Point) -> Float {
        // False for what is no number, too.
        guard place.x >= 0, place.y >= 0, place.x < 1, place.y < 1 else { return 0 }
        let x = max(0, min(Float(width) - 1, place.x * Float(width) - 0.5))
        let y = max(0, min(Float(height) - 1, place.y * Float(height) - 0.5))
        let (column, row) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let (right, below) = (min(column + 1, width - 1), min(row + 1, height - 1))
        func value(_ x: Int, _ y: Int) -> Float { Float(alpha[y * width + x]) / 255 }
        return (1 - fy) * ((1 - fx) * value(column, row) + fx * value(right, row))
            + fy * ((1 - fx) * value(column, below) + fx * value(right, below))
    }
}
