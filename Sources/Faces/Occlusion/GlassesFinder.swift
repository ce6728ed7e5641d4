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
        var memory = Memory()
        findContrast(vertices, width: instance.width, in: picture, &memory)
        guard let frame = frame(memory.contrast) else { return nil }
        return matte(memory.contrast, frame, vertices)
    }

    /// What a search needs, kept from one to the next.
    struct Memory {
        fileprivate var places: [Point] = []
        fileprivate var colors: [SIMD4<Float>] = []
        fileprivate var (luminance, across, closed): ([Float], [Float], [Float]) = ([], [], [])
        /// Of each cell of the grid: how much darker it is than the brightest line through its surroundings.
        fileprivate(set) var contrast: [Float] = []
    }

    /// Whether a face is large enough.
    func canSearch(_ instance: FaceInstance) -> Bool { instance.canBeLearnt && instance.width >= Self.smallestWidth }

    /// `memory.contrast`: a black top-hat (grey closing minus value) of the logarithmic luminance.
    func findContrast(_ vertices: [Point], width: Float, in picture: borrowing PixelBuffer, _ memory: inout Memory) {
        let grid = GlassesCells.grid
        memory.places.removeAll(keepingCapacity: true)
        vertices.withUnsafeBufferPointer { vertices in
            for cell in cells.inside { memory.places.append(cell.interpolate(vertices)) }
        }
        // A face is 0.6 wide in canonical UV.
        SkinColors(spacing: width / 0.6 * grid.size.x / Float(grid.width)).read(
            picture, at: memory.places, into: &memory.colors)
        // Outside the mesh nothing is dark.
        memory.luminance.removeAll(keepingCapacity: true)
        memory.luminance.append(contentsOf: repeatElement(10, count: grid.count))
        for (cell, color) in zip(cells.inside, memory.colors) { memory.luminance[cell.index] = color.x }
        Self.findExtremes(memory.luminance, into: &memory.closed, &memory.across) { max($0, $1) }
        swap(&memory.closed, &memory.contrast)
        Self.findExtremes(memory.contrast, into: &memory.closed, &memory.across) { min($0, $1) }
        memory.contrast.removeAll(keepingCapacity: true)
        memory.contrast.append(contentsOf: repeatElement(0, count: grid.count))
        for cell in cells.inside where memory.closed[cell.index] < 9 {
            memory.contrast[cell.index] = memory.closed[cell.index] - memory.luminance[cell.index]
        }
    }

    /// The largest or smallest value in a square window; nothing beyond the border.
    /// - Parameter across: memory.
    @inline(__always)
    private static func findExtremes(
        _ values: [Float], into result: inout [Float], _ across: inout [Float], _ choose: (Float, Float) -> Float
    ) {
        let (grid, reach) = (GlassesCells.grid, widest / 2)
        across.removeAll(keepingCapacity: true)
        across.append(contentsOf: values)
        values.withUnsafeBufferPointer { values in
            across.withUnsafeMutableBufferPointer { across in
                for row in stride(from: 0, to: grid.count, by: grid.width) {
                    for shift in -reach...reach where shift != 0 {
                        for index in row + max(0, -shift)..<row + grid.width - max(0, shift) {
                            across[index] = choose(across[index], values[index + shift])
                        }
                    }
                }
            }
        }
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: across)
        across.withUnsafeBufferPointer { across in
            result.withUnsafeMutableBufferPointer { result in
                for shift in -reach...reach where shift != 0 {
                    let offset = shift * grid.width
                    for index in max(0, -offset)..<grid.count - max(0, offset) {
                        result[index] = choose(result[index], across[index + offset])
                    }
                }
            }
        }
    }

    /// The cells of the frame; nil if none exists.
    func frame(_ contrast: [Float]) -> [Int]? {
        let width = GlassesCells.grid.width
        let isLine = contrast.indices.map { contrast[$0] > Self.fullContrast && !cells.isEye[$0] }
        return TexelGrid.regions(isLine, width: width).first { region in
            cells.passages.enumerated().allSatisfy { number, passage in
                let least = Float(passage.columns) * (number == 0 ? Self.leastOnBridge : Self.leastBelowEye)
                guard Float(region.count) >= least else { return false }
                return Float(Set(region.filter(passage.cells.contains).map { $0 % width }).count) >= least
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
        var coverage = [Float](repeating: 0, count: grid.count)
        for index in near.indices where near[index] {
            coverage[index] =
                ((contrast[index] - Self.leastContrast) / (Self.fullContrast - Self.leastContrast)).limitedToUnit
        }
        let places = vertices.withUnsafeBufferPointer { vertices in
            cells.inside.filter { near[$0.index] }.map { $0.interpolate(vertices) }
        }
        let step = max(1, FaceBox(around: vertices).width / Self.matteCellsPerFace)
        guard let picture = PictureCells(around: FaceBox(around: places), margin: 2, step: step) else { return nil }
        var alpha = [UInt8](repeating: 0, count: picture.width * picture.height)
        let last = Point(Float(grid.width - 1), Float(grid.height - 1))
        alpha.withUnsafeMutableBufferPointer { alpha in
            coverage.withUnsafeBufferPointer { coverage in
                grid.forEachCell(cells.triangles, cells.vertices, vertices: vertices, of: picture) { index, place in
                    // The grid ends inside the face.
                    guard place.x >= 0, place.y >= 0, place.x <= last.x, place.y <= last.y else { return }
                    alpha[index] = UInt8(255 * grid.interpolated(coverage, at: place) + 0.5)
                }
            }
        }
        return OcclusionMatte(box: picture.box, width: picture.width, height: picture.height, alpha: alpha)
    }
}
