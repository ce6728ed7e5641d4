import FaceGeometry
import Pixels

/// Carries what is covered from the learnt face's texels into the picture, and moves its outline to the picture's edges: a
/// guided filter (He, Sun and Tang, "Guided Image Filtering", ECCV 2010) with confidences, at a reduced resolution. Its
/// guide is not the brightness but how far each colour is on the way from the face's colours to those of what is before it.
struct MatteRefinement {
    private let texels: CanonicalTexels
    private let confidence: [Float]
    private let cells: PictureCells
    private let half: Float

    /// Cells of a face's width.
    private static let cellsPerFace: Float = 72
    /// Of the filter's window, in cells.
    private static let radius = 3
    /// How much of the guide's variance is noise: from the face to what is before it, the guide goes from 0 to 1.
    private static let noise: Float = 0.02

    /// - Parameters:
    ///   - coverage: of the texels, 0…1.
    ///   - confidence: of the texels: how much is known of whether they are covered, 0…1.
    ///   - half: the filtered coverage, 0…1, at which a place counts as half covered. Above a half, the face is given the
    ///     benefit of the doubt along the edge.
    ///   - vertices: of the mesh, in pixels.
    /// - Returns: nil if nothing is covered.
    static func matte(
        _ coverage: [Float], confidence: [Float], half: Float = 0.5, _ texels: CanonicalTexels, vertices: [Point],
        in picture: borrowing PixelBuffer
    ) -> OcclusionMatte? {
        let refinement = MatteRefinement(coverage, confidence, half, texels, vertices)
        return refinement?.matte(coverage, vertices, picture)
    }

    private init?(
        _ coverage: [Float], _ confidence: [Float], _ half: Float, _ texels: CanonicalTexels, _ vertices: [Point]
    ) {
        (self.texels, self.confidence, self.half) = (texels, confidence, half)
        let places = texels.inside.filter { coverage[$0.index] > 0.02 }.map { $0.interpolate(vertices) }
        guard !places.isEmpty, vertices.allSatisfy({ abs($0.x) < 1e5 && abs($0.y) < 1e5 }) else { return nil }
        let step = max(1, FaceBox(around: vertices).width / Self.cellsPerFace)
        guard let cells = PictureCells(around: FaceBox(around: places), margin: 2 * Float(Self.radius), step: step)
        else {
            return nil
        }
        self.cells = cells
    }

    private func matte(
        _ coverage: [Float], _ vertices: [Point], _ picture: borrowing PixelBuffer
    ) -> OcclusionMatte? {
        let known = drawn(coverage, vertices)
        var places: [Point] = []
        places.reserveCapacity(cells.width * cells.height)
        for y in 0..<cells.height { for x in 0..<cells.width { places.append(cells.place(x, y)) } }
        var colors: [SIMD4<Float>] = []
        SkinColors(spacing: cells.step).read(picture, at: places, into: &colors)
        guard let guide = guide(colors, known) else { return nil }
        let filtered = filtered(guide, known)
        let alpha = filtered.map { value -> UInt8 in
            let share = ((value - half) / 0.4 + 0.5).limitedToUnit
            return UInt8(255 * share * share * (3 - 2 * share) + 0.5)
        }
        guard alpha.contains(where: { $0 > 0 }) else { return nil }
        return OcclusionMatte(box: cells.box, width: cells.width, height: cells.height, alpha: alpha)
    }

    /// What a cell knows before the filter.
    private struct Cell {
        /// 0…1.
        var coverage: Float = 0
        /// How much that is worth; 0 outside the face.
        var confidence: Float = 0
    }

    /// Draws the texels with the mesh.
    private func drawn(_ coverage: [Float], _ vertices: [Point]) -> [Cell] {
        var known = [Cell](repeating: Cell(), count: cells.width * cells.height)
        let grid = CanonicalTexels.grid
        grid.forEachCell(texels.triangles.map(\.triangle), texels.vertices, vertices: vertices, of: cells) {
            index, place in
            let covered = grid.interpolated(coverage, at: place)
            // What has been filled in counts, even where nothing is known of the face.
            known[index] = Cell(
                coverage: covered, confidence: max(0.03, grid.interpolated(confidence, at: place), covered))
        }
        return known
    }

    /// How far each cell's colour is on the way from the colours of the face, 0, to those of what is before it, 1.
    private func guide(_ colors: [SIMD4<Float>], _ cells: [Cell]) -> [Float]? {
        var sums = (covered: SIMD4<Float>.zero, free: SIMD4<Float>.zero)
        var squares = SIMD4<Float>.zero
        var weights = (covered: Float(0), free: Float(0))
        for (color, cell) in zip(colors, cells) where cell.confidence > 0.3 {
            sums.covered += cell.coverage * color
            sums.free += (1 - cell.coverage) * color
            squares += color * color
            weights.covered += cell.coverage
            weights.free += 1 - cell.coverage
        }
        guard weights.covered > 1 else { return nil }
        // Nothing is left of the face: there is no edge to look for.
        guard weights.free > 1 else { return [Float](repeating: 0.5, count: colors.count) }
        let (covered, free) = (sums.covered / weights.covered, sums.free / weights.free)
        let mean = (sums.covered + sums.free) / (weights.covered + weights.free)
        let variance = squares / (weights.covered + weights.free) - mean * mean
        let axis = (covered - free) / (variance + SIMD4(1e-3, 2e-4, 2e-4, 1))
        let length = max((axis * (covered - free)).sum(), 1e-6)
        return colors.map { max(-0.5, min(1.5, (axis * ($0 - free)).sum() / length)) }
    }

    // MARK: The guided filter

    private func filtered(_ guide: [Float], _ cells: [Cell]) -> [Float] {
        let products = zip(guide, cells).map { guide, cell -> SIMD8<Float> in
            let weight = cell.confidence
            return SIMD8(
                weight, weight * guide, weight * cell.coverage, weight * guide * guide,
                weight * guide * cell.coverage, 0, 0, 0)
        }
        let models = windowSums(products).map { sums -> SIMD8<Float> in
            let weight = sums[0]
            guard weight > 1e-3 else { return .zero }
            let (guide, coverage) = (sums[1] / weight, sums[2] / weight)
            let slope =
                (sums[4] / weight - guide * coverage) / (max(0, sums[3] / weight - guide * guide) + Self.noise)
            let share = min(1, weight)
            return SIMD8(share, share * slope, share * (coverage - slope * guide), 0, 0, 0, 0, 0)
        }
        return zip(windowSums(models), guide).map { sums, guide in
            sums[0] > 1e-3 ? (sums[1] * guide + sums[2]) / sums[0] : 0
        }
    }

    /// Sums over square windows, smaller at the border.
    private func windowSums(_ values: [SIMD8<Float>]) -> [SIMD8<Float>] {
        let (width, height, radius) = (cells.width, cells.height, Self.radius)
        var across = values
        for y in 0..<height {
            var sum = SIMD8<Float>.zero
            for x in 0..<min(radius, width) { sum += values[y * width + x] }
            for x in 0..<width {
                if x + radius < width { sum += values[y * width + x + radius] }
                if x - radius > 0 { sum -= values[y * width + x - radius - 1] }
                across[y * width + x] = sum
            }
        }
        var result = across
        for x in 0..<width {
            var sum = SIMD8<Float>.zero
            for y in 0..<min(radius, height) { sum += across[y * width + x] }
            for y in 0..<height {
                if y + radius < height { sum += across[(y + radius) * width + x] }
                if y - radius > 0 { sum -= across[(y - radius - 1) * width + x] }
                result[y * width + x] = sum
            }
        }
        return result
    }
}
