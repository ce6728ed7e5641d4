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
        var covered = CoveredBlocks()
        covered.find(coverage, above: Self.low)
        values.withUnsafeMutableBufferPointer { values in
            coverage.withUnsafeBufferPointer { coverage in
                grid.forEachRow(texels.meshTriangles, texels.vertices, vertices: vertices, of: cells) { row in
                    // Hair lies around a face: most of it is free.
                    guard covered.contains(any: texels.blocks[row.triangle]) else {
                        for index in row.cells { values[index] = 0 }
                        return
                    }
                    for index in row.cells {
                        let place = row.start + Float(index - row.cells.lowerBound) * row.across
                        values[index] = grid.interpolated(coverage, at: place)
                    }
                }
            }
        }
        for _ in 0..<Self.margin { widen(cells) }
        let drawn = values
        let alpha = alphas.make { alpha in
            alpha.append(contentsOf: repeatElement(0, count: drawn.count))
            for index in drawn.indices where drawn[index] > Self.low {
                let share = ((drawn[index] - Self.low) / (Self.high - Self.low)).limitedToUnit
                alpha[index] = UInt8(255 * share * share * (3 - 2 * share) + 0.5)
            }
        }
        return OcclusionMatte(box: cells.box, width: cells.width, height: cells.height, alpha: alpha)
    }

    /// By a cell to all sides.
    private mutating func widen(_ cells: PictureCells) {
        wide.removeAll(keepingCapacity: true)
        wide.append(contentsOf: values)
        let (width, height) = (cells.width, cells.height)
        values.withUnsafeBufferPointer { values in
            wide.withUnsafeMutableBufferPointer { wide in
                func value(_ x: Int, _ y: Int) -> Float {
                    x >= 0 && y >= 0 && x < width && y < height ? values[y * width + x] : -1
                }
                func widen(_ x: Int, _ y: Int) {
                    let index = y * width + x
                    guard values[index] < 0 else { return }
                    wide[index] = max(
                        values[index], value(x - 1, y), value(x + 1, y), max(value(x, y - 1), value(x, y + 1)))
                }
                for x in 0..<width {
                    widen(x, 0)
                    widen(x, height - 1)
                }
                for y in 0..<height {
                    widen(0, y)
                    widen(width - 1, y)
                }
                guard width > 2, height > 2 else { return }
                for y in 1..<height - 1 {
                    // Without branches, several at a time.
                    for index in y * width + 1..<(y + 1) * width - 1 {
                        let (own, left, right) = (values[index], values[index &- 1], values[index &+ 1])
                        let (above, below) = (values[index &- width], values[index &+ width])
                        let beside = left > right ? left : right
                        let over = above > below ? above : below
                        let most = beside > over ? beside : over
                        wide[index] = own < 0 && most > own ? most : own
                    }
                }
            }
        }
        swap(&values, &wide)
    }
}
