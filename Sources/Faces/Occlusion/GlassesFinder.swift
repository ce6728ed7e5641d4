import FaceGeometry
import Pixels

/// Finds the frames of glasses in a picture: dark lines, narrower than an eye is high, that go over the bridge of the
/// nose and below both eyes without a gap. Nothing else on a face does. Frames that are bright, thin, or worn on a small
/// face are not found, and neither are lenses.
struct GlassesFinder {
    private let cells: GlassesCells

    /// Of a face, from ear to ear, in pixels.
    private static let smallestWidth: Float = 72
    /// Lines are at most so wide, in cells.
    private static let widest = 7
    /// How much darker they are than what is on both sides, as a logarithm.
    private static let (leastContrast, fullContrast): (Float, Float) = (0.06, 0.18)
    /// Of the columns of the bridge and below the eyes: the share that the frame passes.
    private static let (leastOnBridge, leastBelowEye): (Float, Float) = (0.9, 0.5)
    /// Of the matte, in a face's width.
    private static let matteCellsPerFace: Float = 160

    init(reference: ReferenceFace, mesh: FaceMesh) { cells = GlassesCells(reference: reference, mesh: mesh) }

    /// - Parameter picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Returns: nil if no glasses are found.
    func find(_ instance: FaceInstance, in picture: borrowing PixelBuffer) -> OcclusionMatte? {
        guard canSearch(instance) else { return nil }
        let vertices = instance.face.vertices
        let contrast = contrast(vertices, width: instance.width, in: picture)
        guard let frame = frame(contrast) else { return nil }
        return matte(contrast, frame, vertices)
    }

    /// Whether a face is large enough.
    func canSearch(_ instance: FaceInstance) -> Bool { instance.canBeLearnt && instance.width >= Self.smallestWidth }

    /// How much darker each cell is than the brightest line through its surroundings: a black top-hat (grey closing minus
    /// value) of the logarithmic luminance.
    func contrast(_ vertices: [Point], width: Float, in picture: borrowing PixelBuffer) -> [Float] {
        let grid = GlassesCells.grid
        let places = cells.inside.map { $0.interpolate(vertices) }
        var colors: [SIMD4<Float>] = []
        // A face is 0.6 wide in canonical UV.
        SkinColors(spacing: width / 0.6 * grid.size.x / Float(grid.width)).read(picture, at: places, into: &colors)
        // Outside the mesh nothing is dark.
        var luminance = [Float](repeating: 10, count: grid.count)
        for (cell, color) in zip(cells.inside, colors) { luminance[cell.index] = color.x }
        let wide = Self.extremes(luminance, grid, max)
        let closed = Self.extremes(wide, grid, min)
        var contrast = [Float](repeating: 0, count: grid.count)
        for cell in cells.inside where closed[cell.index] < 9 {
            contrast[cell.index] = closed[cell.index] - luminance[cell.index]
        }
        return contrast
    }

    /// The largest or smallest value in a square window; nothing beyond the border.
    private static func extremes(
        _ values: [Float], _ grid: CanonicalGrid, _ choose: (Float, Float) -> Float
    ) -> [Float] {
        let reach = widest / 2
        var across = values
        for y in 0..<grid.height {
            for x in 0..<grid.width {
                var value = values[y * grid.width + x]
                for other in max(0, x - reach)...min(grid.width - 1, x + reach) {
                    value = choose(value, values[y * grid.width + other])
                }
                across[y * grid.width + x] = value
            }
        }
        var result = across
        for y in 0..<grid.height {
            for other in max(0, y - reach)...min(grid.height - 1, y + reach) {
                for x in 0..<grid.width {
                    result[y * grid.width + x] = choose(result[y * grid.width + x], across[other * grid.width + x])
                }
            }
        }
        return result
    }

    /// The cells of the frame; nil if none exists.
    func frame(_ contrast: [Float]) -> [Int]? {
        let width = GlassesCells.grid.width
        let isLine = contrast.indices.map { contrast[$0] > Self.fullContrast && !cells.isEye[$0] }
        let columns = cells.passages.map { Set($0.map { $0 % width }).count }
        return TexelGrid.regions(isLine, width: width).first { region in
            zip(cells.passages, columns).enumerated().allSatisfy { number, passage in
                let passed = Set(region.filter(passage.0.contains).map { $0 % width }).count
                let least = number == 0 ? Self.leastOnBridge : Self.leastBelowEye
                return Float(passed) >= least * Float(passage.1)
            }
        }
    }

    /// - Parameter frame: its cells; what is dark in them and beside them is shown.
    func matte(_ contrast: [Float], _ frame: [Int], _ vertices: [Point]) -> OcclusionMatte? {
        let grid = GlassesCells.grid
        var near = [Bool](repeating: false, count: grid.count)
        for index in frame {
            near[index] = true
            TexelGrid.forEachNeighbour(of: index, width: grid.width, height: grid.height, diagonal: true) {
                near[$0] = true
            }
        }
        let coverage = contrast.indices.map { index in
            near[index]
                ? ((contrast[index] - Self.leastContrast) / (Self.fullContrast - Self.leastContrast)).limitedToUnit : 0
        }
        let places = cells.inside.filter { near[$0.index] }.map { $0.interpolate(vertices) }
        let step = max(1, FaceBox(around: vertices).width / Self.matteCellsPerFace)
        guard let picture = PictureCells(around: FaceBox(around: places), margin: 2, step: step) else { return nil }
        var alpha = [UInt8](repeating: 0, count: picture.width * picture.height)
        grid.forEachCell(cells.triangles, cells.vertices, vertices: vertices, of: picture) { index, place in
            // The grid ends inside the face.
            guard place.x >= 0, place.y >= 0, place.x <= Float(grid.width - 1), place.y <= Float(grid.height - 1) else {
                return
            }
            alpha[index] = UInt8(255 * grid.interpolated(coverage, at: place) + 0.5)
        }
        return OcclusionMatte(box: picture.box, width: picture.width, height: picture.height, alpha: alpha)
    }
}
