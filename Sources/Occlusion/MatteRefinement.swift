import FaceGeometry
import Pixels

/// Carries what is covered from the learnt face's texels into the picture, and moves its outline to the picture's edges: a
/// guided filter (He, Sun and Tang, "Guided Image Filtering", ECCV 2010) with confidences, at a reduced resolution. Its
/// guide is not the brightness but how far each colour is on the way from the face's colours to those of what is before it.
struct MatteRefinement {
    private let texels: CanonicalTexels
    /// In picture pixels.
    private let origin: Point
    private let step: Float
    private let width: Int
    private let height: Int

    /// Cells of a face's width.
    private static let cellsPerFace: Float = 72
    /// Of the filter's window, in cells.
    private static let radius = 3
    /// How much of the guide's variance is noise: from the face to what is before it, the guide goes from 0 to 1.
    private static let noise: Float = 0.02

    /// - Parameters:
    ///   - coverage: of the texels, 0…1.
    ///   - vertices: of the mesh, in pixels.
    /// - Returns: nil if nothing is covered.
    static func matte(
        _ coverage: [Float], _ texels: CanonicalTexels, vertices: [Point], in picture: borrowing PixelBuffer
    ) -> OcclusionMatte? {
        let refinement = MatteRefinement(coverage, texels, vertices)
        return refinement?.matte(coverage, vertices, picture)
    }

    private init?(_ coverage: [Float], _ texels: CanonicalTexels, _ vertices: [Point]) {
        self.texels = texels
        let places = texels.inside.filter { coverage[$0.index] > 0.02 }.map { $0.interpolate(vertices) }
        guard !places.isEmpty, vertices.allSatisfy({ abs($0.x) < 1e5 && abs($0.y) < 1e5 }) else { return nil }
        step = max(1, FaceBox(around: vertices).width / Self.cellsPerFace)
        let box = FaceBox(around: places)
        let margin = 2 * Float(Self.radius) * step
        origin = Point(box.x - margin, box.y - margin)
        width = Int(((box.width + 2 * margin) / step).rounded(.up))
        height = Int(((box.height + 2 * margin) / step).rounded(.up))
        // A face that is stretched so far is none.
        guard width * height <= 65_536 else { return nil }
    }

    private func matte(
        _ coverage: [Float], _ vertices: [Point], _ picture: borrowing PixelBuffer
    ) -> OcclusionMatte? {
        let cells = drawn(coverage, vertices)
        var places: [Point] = []
        places.reserveCapacity(width * height)
        for y in 0..<height { for x in 0..<width { places.append(place(x, y)) } }
        var colors: [SIMD4<Float>] = []
        SkinColors(spacing: step).read(picture, at: places, into: &colors)
        guard let guide = guide(colors, cells) else { return nil }
        let filtered = filtered(guide, cells)
        let alpha = filtered.map { value -> UInt8 in
            let share = ((value - 0.3) / 0.4).limitedToUnit
            return UInt8(255 * share * share * (3 - 2 * share) + 0.5)
        }
        guard alpha.contains(where: { $0 > 0 }) else { return nil }
        let box = FaceBox(x: origin.x, y: origin.y, width: Float(width) * step, height: Float(height) * step)
        return OcclusionMatte(box: box, width: width, height: height, alpha: alpha)
    }

    /// The centre of a cell, in pixels.
    private func place(_ x: Int, _ y: Int) -> Point { origin + step * Point(Float(x) + 0.5, Float(y) + 0.5) }

    /// What a cell knows before the filter.
    private struct Cell {
        /// 0…1.
        var coverage: Float = 0
        /// How much that is worth; 0 outside the face.
        var confidence: Float = 0
    }

    /// Draws the texels with the mesh.
    private func drawn(_ coverage: [Float], _ vertices: [Point]) -> [Cell] {
        var cells = [Cell](repeating: Cell(), count: width * height)
        let scale = Point(Float(CanonicalTexels.width), Float(CanonicalTexels.height)) / CanonicalTexels.size
        for (triangle, _) in texels.triangles {
            let corners = triangle.indices.map { (vertices[$0] - origin) / step - 0.5 }
            let box = FaceBox(around: corners)
            let (left, right) = (max(0, Int(box.x.rounded(.up))), min(width - 1, Int(box.x + box.width)))
            let (top, bottom) = (max(0, Int(box.y.rounded(.up))), min(height - 1, Int(box.y + box.height)))
            guard left <= right, top <= bottom else { continue }
            let canonical = triangle.indices.map { texels.vertices[$0] }
            let corner = Triangle(0, 1, 2)
            for y in top...bottom {
                for x in left...right {
                    guard let weights = corner.barycentric(Point(Float(x), Float(y)), corners) else { continue }
                    let uv = weights.x * canonical[0] + weights.y * canonical[1] + weights.z * canonical[2]
                    let texel = (uv - CanonicalTexels.origin) * scale - 0.5
                    cells[y * width + x] = cell(coverage, at: texel)
                }
            }
        }
        return cells
    }

    /// Interpolated between four texels.
    private func cell(_ coverage: [Float], at place: Point) -> Cell {
        let x = max(0, min(Float(CanonicalTexels.width) - 1.001, place.x))
        let y = max(0, min(Float(CanonicalTexels.height) - 1.001, place.y))
        let (column, row) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let index = row * CanonicalTexels.width + column
        let weights = SIMD4((1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy)
        let below = index + CanonicalTexels.width
        func values(_ grid: [Float]) -> SIMD4<Float> {
            SIMD4(grid[index], grid[index + 1], grid[below], grid[below + 1])
        }
        let covered = (weights * values(coverage)).sum()
        let evidence = (weights * values(texels.evidence)).sum()
        // What has been filled in counts, even where nothing is known of the face.
        return Cell(coverage: covered, confidence: max(0.03, evidence, covered))
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
        let (width, height, radius) = (width, height, Self.radius)
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
