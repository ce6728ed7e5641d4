import FaceGeometry
import Glibc

/// The texels in which a face's appearance is learnt: a grid over canonical UV, and what is known beforehand about each
/// place of a face. Immutable, so that all tracks share one.
final class CanonicalTexels: Sendable {
    static let width = 64
    static let height = 80
    static let count = width * height
    static let grid = CanonicalGrid(width: width, height: height, origin: Point(0.16, 0.05), size: Point(0.68, 0.88))

    /// A texel inside the mesh.
    struct Texel: Sendable {
        /// In the grid, row by row.
        let index: Int
        let triangle: Triangle
        /// Barycentric coordinates in the triangle.
        let weights: SIMD3<Float>
        /// 1, u, v, u², uv, v² about the middle of the face: what smooth light is composed of.
        let lightBasis: SIMD8<Float>

        func interpolate(_ values: [Point]) -> Point {
            weights.x * values[triangle.a] + weights.y * values[triangle.b] + weights.z * values[triangle.c]
        }
    }

    /// Those inside the mesh, row by row.
    let inside: [Texel]
    /// Of the mesh, with twice their areas in canonical UV.
    let triangles: [(triangle: Triangle, area: Float)]
    let meshTriangles: [Triangle]
    /// Of the mesh, in canonical UV.
    let vertices: [Point]
    /// For each of `meshTriangles`: the blocks of the texels from which its places are interpolated.
    let blocks: [TexelBlocks]

    let outline: FaceOutline
    let reference: ReferenceFace

    // MARK: One value for each texel of the grid

    /// How much its colour tells about occluders, 0…1: nothing in eyes, mouth and hair, along the outline, and outside
    /// the mesh.
    let evidence: [Float]
    /// The evidence where the whole face is known: 1.
    let certain = [Float](repeating: 1, count: CanonicalTexels.count)
    /// How much expression changes it, 0…1.
    let expressiveness: [Float]
    /// Distance from the outline of the mesh, in face widths; 0 outside.
    let depth: [Float]
    /// The nearest sector of the outline.
    let sector: [Int]
    /// For each sector, the places in `inside` of the texels at the outline that say something.
    let rimPlaces: [[Int]]
    /// 0 above the cheeks, 1 below: where mouth and jaw move the skin.
    let isLower: [Float]

    init(reference: ReferenceFace, mesh: FaceMesh) {
        vertices = reference.vertices
        meshTriangles = mesh.triangles
        triangles = mesh.triangles.map { ($0, $0.doubleArea(reference.vertices)) }
        blocks = mesh.triangles.map { triangle in
            TexelBlocks(around: [triangle.a, triangle.b, triangle.c].map { reference.vertices[$0] })
        }
        var inside: [Texel] = []
        var evidence = [Float](repeating: 0, count: Self.count)
        var expressiveness = evidence
        var depth = evidence
        var isLower = evidence
        let outline = FaceOutline(reference: reference, mesh: mesh)
        let regions = FaceRegions(reference)
        let rim = FaceMesh.boundary(of: mesh.triangles)
        for index in 0..<Self.count {
            let place = Self.grid.place(index)
            guard let (triangle, weights) = Self.location(place, mesh.triangles, reference.vertices) else { continue }
            inside.append(
                Texel(
                    index: index, triangle: triangle, weights: weights,
                    lightBasis: Self.lightBasis(place)))
            let distances = rim.map { place.distance(from: reference.vertices[$0.from], to: reference.vertices[$0.to]) }
            depth[index] = (distances.min() ?? 0) / reference.width
            isLower[index] = ((place.y - 0.45) / 0.1).limitedToUnit
            (evidence[index], expressiveness[index]) = regions.values(place, depth: depth[index])
        }
        (self.outline, self.reference) = (outline, reference)
        let sector = (0..<Self.count).map { outline.sector(nearest: Self.grid.place($0)) }
        var rimPlaces = [[Int]](repeating: [], count: FaceOutline.sectorCount)
        for (place, texel) in inside.enumerated()
        where depth[texel.index] < OcclusionRegions.rim.depth && evidence[texel.index] > 0.1 {
            rimPlaces[sector[texel.index]].append(place)
        }
        self.sector = sector
        self.rimPlaces = rimPlaces
        self.inside = inside
        self.evidence = evidence
        self.expressiveness = expressiveness
        self.depth = depth
        self.isLower = isLower
    }

    /// What smooth light is composed of at a place in canonical UV; see `Texel`.
    static func lightBasis(_ place: Point) -> SIMD8<Float> {
        let (u, v) = ((place.x - 0.5) / 0.3, (place.y - 0.5) / 0.44)
        return SIMD8(1, u, v, u * u, u * v, v * v, 0, 0)
    }

    /// The triangle at a place in canonical UV, with barycentric coordinates; nil outside the mesh.
    static func location(
        _ place: Point, _ triangles: [Triangle], _ vertices: [Point]
    ) -> (Triangle, SIMD3<Float>)? {
        for triangle in triangles {
            if let weights = triangle.barycentric(place, vertices) { return (triangle, weights) }
        }
        return nil
    }
}

/// Square blocks of texels.
struct TexelBlocks: Sendable {
    private static let side = 4
    static let width = CanonicalTexels.width / side

    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    /// Those of the texels between which places are interpolated that lie among some points.
    /// - Parameter points: in canonical UV.
    init(around points: [Point]) {
        let (grid, box) = (CanonicalTexels.grid, FaceBox(around: points))
        func range(_ low: Float, _ size: Float, _ origin: Float, _ extent: Float, _ count: Int) -> ClosedRange<Int> {
            func block(_ texel: Float) -> Int { Int(max(0, min(Float(count - 1), texel))) / Self.side }
            let scale = Float(count) / extent
            let first = (low - origin) * scale - 0.5
            // Rounding may lead a place just beyond the triangle.
            return block(first - 1)...block(first + size * scale + 2)
        }
        columns = range(box.x, box.width, grid.origin.x, grid.size.x, grid.width)
        rows = range(box.y, box.height, grid.origin.y, grid.size.y, grid.height)
    }

    fileprivate static func block(of texel: Int) -> Int {
        texel / CanonicalTexels.width / side * width + texel % CanonicalTexels.width / side
    }
}

/// Of each block of texels: whether any of it is covered.
struct CoveredBlocks {
    private var isCovered = InlineArray<320, Bool>(repeating: false)

    /// - Parameter coverage: of the texels.
    mutating func find(_ coverage: [Float], above least: Float) {
        isCovered = .init(repeating: false)
        for index in coverage.indices where coverage[index] > least { isCovered[TexelBlocks.block(of: index)] = true }
    }

    func contains(any blocks: TexelBlocks) -> Bool {
        for row in blocks.rows {
            for column in blocks.columns where isCovered[row * TexelBlocks.width + column] { return true }
        }
        return false
    }
}

/// Distances from the features of the reference face, and what follows from them.
struct FaceRegions {
    private let reference: ReferenceFace
    private let eyes: [[Point]]
    private let mouth: [Point]
    private let brows: [[Point]]
    private let nostrils: [Point]
    /// From the wings of the nose past the corners of the mouth to the jaw: folds of a smile.
    private let folds: [[Point]]
    private let chinFold: Point

    init(_ reference: ReferenceFace) {
        self.reference = reference
        let topology = Landmarks.topology
        func points(_ indices: [Int]) -> [Point] { indices.map { reference.vertices[$0] } }
        eyes = [topology.rightEye, topology.leftEye].map { points($0.outline) }
        mouth = points(topology.outerLips.outline)
        brows = [points(topology.rightBrow), points(topology.leftBrow)]
        nostrils = points(topology.nostrils)
        let (jaw, lips) = (topology.jaw, topology.outerLips)
        folds = [
            points([topology.rightWing, lips.right, jaw[jaw.count * 6 / 17]]),
            points([topology.leftWing, lips.left, jaw[jaw.count - 1 - jaw.count * 6 / 17]]),
        ]
        let (lip, chin) = (reference.vertices[topology.lowerLipCenter], reference.vertices[topology.chin])
        chinFold = lip + 0.45 * (chin - lip)
    }

    /// From a place in canonical UV, in face widths; 0 inside eyes and mouth.
    struct Distances {
        let eye: Float
        let mouth: Float
        let brow: Float
        let nostril: Float
    }

    func distances(_ place: Point) -> Distances {
        Distances(
            eye: eyes.map { distance(place, to: $0, isArea: true) }.min() ?? 0,
            mouth: distance(place, to: mouth, isArea: true),
            brow: brows.map { distance(place, to: $0, isArea: false) }.min() ?? 0,
            nostril: distance(place, to: nostrils, isArea: false))
    }

    func values(_ place: Point, depth: Float) -> (evidence: Float, expressiveness: Float) {
        let distances = distances(place)
        let (eye, mouth, brow, nostril) = (distances.eye, distances.mouth, distances.brow, distances.nostril)
        let fold = folds.map { distance(place, to: $0, isArea: false) }.min() ?? 0
        let chin = (place - chinFold).length / reference.width
        func near(_ distance: Float, _ reach: Float) -> Float { (1 - distance / reach).limitedToUnit }
        // Hair, and what is behind it when the head turns.
        let upper = ((0.42 - place.y) / 0.1).limitedToUnit
        let hair = upper * ((0.3 - depth) / 0.2).limitedToUnit
        let expressiveness = [
            near(eye, 0.1), near(mouth, 0.12), near(brow, 0.08), near(nostril, 0.06), 0.7 * near(fold, 0.14),
            0.7 * near(chin, 0.16), hair,
        ].max()
        let features = 1 - max(near(eye, 0.05), near(mouth, 0.05))
        return (features * ((depth - 0.01 - 0.1 * upper) / 0.04).limitedToUnit, expressiveness ?? 0)
    }

    /// In face widths; 0 inside an area.
    private func distance(_ place: Point, to points: [Point], isArea: Bool) -> Float {
        var nearest = Float.infinity
        var isInside = false
        for index in points.indices where isArea || index > 0 {
            let (from, to) = (points[index == 0 ? points.count - 1 : index - 1], points[index])
            nearest = min(nearest, place.distance(from: from, to: to))
            if (from.y > place.y) != (to.y > place.y),
                place.x < (to.x - from.x) * (place.y - from.y) / (to.y - from.y) + from.x
            {
                isInside.toggle()
            }
        }
        return isArea && isInside ? 0 : nearest / reference.width
    }
}

extension Triangle {
    /// Nil outside the triangle, and where it has no area or faces away.
    func barycentric(_ place: Point, _ vertices: [Point]) -> SIMD3<Float>? {
        Self.barycentric(place, vertices[a], vertices[b], vertices[c])
    }

    static func barycentric(_ place: Point, _ a: Point, _ b: Point, _ c: Point) -> SIMD3<Float>? {
        func area(_ p: Point, _ q: Point) -> Float {
            (p.x - place.x) * (q.y - place.y) - (p.y - place.y) * (q.x - place.x)
        }
        let parts = SIMD3(area(b, c), area(c, a), area(a, b))
        let sum = parts.sum()
        guard parts.min() >= 0, sum > 0 else { return nil }
        return parts / sum
    }
}

extension Point {
    /// From a segment.
    func distance(from: Point, to: Point) -> Float {
        let along = to - from
        let share = ((self - from) * along).sum() / Swift.max((along * along).sum(), 1e-12)
        return (self - from - share.limitedToUnit * along).length
    }
}

extension Float {
    var limitedToUnit: Float { Swift.min(1, Swift.max(0, self)) }
}
