import FaceGeometry

/// Draws what covers the texels of faces into pictures as it is: for coverage whose edges have been refined before. Its memory
/// is kept from one matte to the next.
struct TexelMatte {
    /// Of each cell, 0…1; below 0 outside the mesh.
    private var (values, wide): ([Float], [Float]) = ([], [])
    private var alphas = ReusedArrays<UInt8>()

    /// Cells of a face's width, as many as texels.
    private static let cellsPerFace: Float = 72
    /// So far beyond the outline it goes on, in cells, so that it does not fade there: where head points give way to a brow on a
    /// turned head, masks reach farther than the mesh.
    private static let margin = 5
    /// Between these, an edge goes from nothing to all.
    private static let (low, high): (Float, Float) = (0.3, 0.7)

    /// Mattes made so far are no longer needed.
    mutating func beginPicture() { alphas.beginPicture() }

    /// - Parameters:
    ///   - coverage: of the texels, 0…1.
    ///   - vertices: of the mesh, in pixels.
    /// - Returns: nil if nothing is covered.
    mutating func draw(_ coverage: [Float], _ texels: CanonicalTexels, _ vertices: [Point]) -> OcclusionMatte? {
        let step = max(1, FaceBox(around: vertices).width / Self.cellsPerFace)
        var (low, high) = (Point(repeating: .infinity), Point(repeating: -.infinity))
        for texel in texels.inside where coverage[texel.index] > Self.low {
            let place = texel.interpolate(vertices)
            (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
        }
        guard low.x <= high.x else { return nil }
        let box = FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
        guard let cells = PictureCells(around: box, margin: Float(Self.margin + 1), step: step) else { return nil }
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(-1, count: cells.width * cells.height))
        let grid = CanonicalTexels.grid
        values.withUnsafeMutableBufferPointer { values in
            coverage.withUnsafeBufferPointer { coverage in
                grid.forEachCell(texels.meshTriangles, texels.vertices, vertices: vertices, of: cells) { index, place in
                    values[index] = grid.interpolated(coverage, at: place)
                }
            }
        }
        for _ in 0..<Self.margin { widen(cells) }
        let drawn = values
        let alpha = alphas.make { alpha in
            for value in drawn {
                let share = ((value - Self.low) / (Self.high - Self.low)).limitedToUnit
                alpha.append(UInt8(255 * share * share * (3 - 2 * share) + 0.5))
            }
        }
        return OcclusionMatte(box: cells.box, width: cells.width, height: cells.height, alpha: alpha)
    }

    /// By a cell to all sides.
    private mutating func widen(_ cells: PictureCells) {
        wide.removeAll(keepingCapacity: true)
        wide.append(contentsOf: values)
        values.withUnsafeBufferPointer { values in
            wide.withUnsafeMutableBufferPointer { wide in
                for y in 0..<cells.height {
                    for x in 0..<cells.width {
                        let index = y * cells.width + x
                        var value = values[index]
                        if value >= 0 { continue }
                        if x > 0 { value = max(value, values[index - 1]) }
                        if x + 1 < cells.width { value = max(value, values[index + 1]) }
                        if y > 0 { value = max(value, values[index - cells.width]) }
                        if y + 1 < cells.height { value = max(value, values[index + cells.width]) }
                        wide[index] = value
                    }
                }
            }
        }
        swap(&values, &wide)
    }
}
