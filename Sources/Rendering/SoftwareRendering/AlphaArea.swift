import FaceGeometry

/// Where a texture is opaque: how many texels are not, in the rectangle from the first texel to each (a summed-area table,
/// Crow 1984).
final class OpaqueArea {
    private let width: Int
    private let height: Int
    /// One row and one column more than texels; the first ones are 0.
    private let counts: [Int32]

    init(_ texels: Texels) {
        (width, height) = (texels.width, texels.height)
        var counts = [Int32](repeating: 0, count: (width + 1) * (height + 1))
        for y in 0..<height {
            var inRow: Int32 = 0
            for x in 0..<width {
                inRow += texels.alpha(x, y) < 255 ? 1 : 0
                counts[(y + 1) * (width + 1) + x + 1] = counts[y * (width + 1) + x + 1] + inRow
            }
        }
        self.counts = counts
    }

    /// Whether everything that is interpolated between the texels in a box is opaque.
    /// - Parameters:
    ///   - low: of the box: in texels, less a half.
    ///   - high: likewise.
    func contains(low: Point, high: Point) -> Bool {
        func clamped(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit - 1), value))) }
        let (left, top) = (clamped(low.x, width), clamped(low.y, height))
        let (right, bottom) = (clamped(high.x + 1, width) + 1, clamped(high.y + 1, height) + 1)
        func count(_ x: Int, _ y: Int) -> Int32 { counts[y * (width + 1) + x] }
        return count(right, bottom) - count(left, bottom) - count(right, top) + count(left, top) == 0
    }
}
