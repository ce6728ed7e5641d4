import FaceGeometry

/// How far each place of a part of a picture belongs to a person.
package struct PersonMatte: Sendable {
    /// The part that was looked at, in pixels: its corner, and its sides, which are at right angles.
    package let origin: Point
    package let across: Point
    package let down: Point
    /// Cells along `across` and along `down`.
    package let width: Int
    package let height: Int
    /// Row by row, at the centres of equal cells: 0 (something else) … 255 (a person).
    package let alpha: [UInt8]

    package init(origin: Point, across: Point, down: Point, width: Int, height: Int, alpha: [UInt8]) {
        precondition(width > 0 && height > 0 && alpha.count == width * height)
        (self.origin, self.across, self.down) = (origin, across, down)
        (self.width, self.height, self.alpha) = (width, height, alpha)
    }

    /// At a place of the picture in pixels, 0…1, interpolated between the cells; nil outside of the part that was looked at.
    package func value(at place: Point) -> Float? {
        let offset = place - origin
        func share(_ side: Point) -> Float { (offset * side).sum() / max((side * side).sum(), 1e-12) }
        let (u, v) = (share(across), share(down))
        // False for what is no number, too.
        guard (0...1).contains(u), (0...1).contains(v) else { return nil }
        let x = max(0, min(Float(width - 1), u * Float(width) - 0.5))
        let y = max(0, min(Float(height - 1), v * Float(height) - 0.5))
        let (left, top) = (min(Int(x), max(0, width - 2)), min(Int(y), max(0, height - 2)))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (fx, fy) = (x - Float(left), y - Float(top))
        func row(_ y: Int) -> Float {
            (1 - fx) * Float(alpha[y * width + left]) + fx * Float(alpha[y * width + right])
        }
        return ((1 - fy) * row(top) + fy * row(bottom)) / 255
    }
}
