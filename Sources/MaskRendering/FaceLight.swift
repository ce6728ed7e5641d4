import CGraphics
import FaceGeometry
import Masks
import Pixels

/// The light on a face: how its skin is shaded and coloured, measured in the picture and held still over time.
///
/// The shading is a map over the reference sheet, the skin's brightness by its mean, without what is finer than a tenth
/// of the face. Colours are matched in mean and spread (Reinhard et al., "Color Transfer between Images", 2001), in Oklab.
final class FaceLight {
    /// Cells a side of the map.
    static let side = 32
    /// The skin's brightness by its mean, encoded, at the cells' middles.
    private(set) var shading = CoarseMap(width: side, height: side, filledWith: 1)
    private(set) var skin: ColorStatistics?
    /// Of the skin, encoded.
    private(set) var meanLuminance: Float = 0.5
    private var lastSeconds: Double?
    private var isKnown = false

    private var colorTextures: [ColorMapKey: ColorMap] = [:]

    /// How long it takes to follow two thirds of a change, in seconds.
    private static let slowness = 0.8
    /// After a longer gap nothing is known any more.
    private static let longestGap = 0.5

    // MARK: Measuring

    /// Measures the face as it is in the picture.
    /// - Parameters:
    ///   - vertices: those of the plain mesh, in the picture.
    ///   - seconds: the picture's time; nil for a picture by itself, which is measured anew.
    func measure(
        _ picture: borrowing PixelBuffer, vertices: [Point], samples: SkinSamples, at seconds: Double?
    ) {
        let elapsed = seconds.flatMap { now in lastSeconds.map { now - $0 } }
        if let elapsed, elapsed == 0, isKnown { return }
        var sums = [SIMD3<Float>](repeating: .zero, count: Self.side * Self.side)
        var counts = [Float](repeating: 0, count: Self.side * Self.side)
        let (width, height) = (picture.width, picture.height)
        let scale: Float = picture.format == .rgba16 ? 1 / 65535 : 1 / 255
        for sample in samples.all {
            let place =
                sample.shares.x * vertices[sample.triangle.a] + sample.shares.y * vertices[sample.triangle.b]
                + sample.shares.z * vertices[sample.triangle.c]
            guard place.x >= 0, place.y >= 0, place.x < Float(width), place.y < Float(height) else { continue }
            let pixel = picture[Int(place.x), Int(place.y)]
            sums[sample.cell] += scale * SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
            counts[sample.cell] += 1
        }
        var luminance = [Float](repeating: 0, count: sums.count)
        var total: (sum: Float, count: Float) = (0, 0)
        var labs: [SIMD3<Float>] = []
        for index in sums.indices where counts[index] > 0 {
            let mean = sums[index] / counts[index]
            luminance[index] = (SIMD3<Float>(0.2126, 0.7152, 0.0722) * mean).sum()
            total = (total.sum + luminance[index], total.count + 1)
            labs.append(OklabColor.lab(mean))
        }
        guard total.count > 20, let colors = ColorStatistics(labs) else { return }
        let mean = max(0.02, total.sum / total.count)
        let map = samples.smoothed(
            luminance.indices.map { counts[$0] > 0 ? min(1.7, max(0.35, luminance[$0] / mean)) : -1 })
        var share: Float = 1
        if isKnown, let elapsed, elapsed > 0, elapsed < Self.longestGap {
            share = Float(elapsed / (Self.slowness + elapsed))
        }
        for index in map.indices { shading.values[index] += share * (map[index] - shading.values[index]) }
        meanLuminance += share * (mean - meanLuminance)
        if share < 1, skin != nil { skin?.approach(colors, by: share) } else { skin = colors }
        lastSeconds = seconds
        isKnown = true
    }

    // MARK: Use

    /// The skin's brightness by its mean at places on the reference sheet.
    func brightness(at places: [Point]) -> [Float] {
        places.map { shading.value(at: Float(Self.side) * $0) }
    }

    private struct ColorMapKey: Hashable { let source: Int }

    /// Binds what makes of a source's colours the skin's.
    /// - Parameters:
    ///   - statistics: the source's.
    ///   - key: tells sources apart.
    func bindColors(from statistics: ColorStatistics?, key: Int, unit: Int32) {
        let map = colorTextures[ColorMapKey(source: key)] ?? ColorMap()
        colorTextures[ColorMapKey(source: key)] = map
        map.update(from: statistics ?? skin, to: skin)
        map.bind(unit: unit)
    }
}

/// What colours become, as a table over the RGB cube.
private final class ColorMap {
    private static let side = 16
    private let name: GLuint
    private var from: ColorStatistics?
    private var to: ColorStatistics?

    /// The cube's colours in Oklab.
    private static let lattice: [SIMD3<Float>] = (0..<(side * side * side)).map { index in
        let last = Float(side - 1)
        return OklabColor.lab(
            SIMD3(Float(index % side), Float(index / side % side), Float(index / side / side)) / last)
    }

    init() {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        for (parameter, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_LINEAR), (GL_TEXTURE_MAG_FILTER, GL_LINEAR),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE),
            (GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE),
        ] { glTexParameteri(GLenum(GL_TEXTURE_3D), GLenum(parameter), value) }
    }

    deinit { glDeleteTextures(1, [name]) }

    /// Makes the table anew where the colours have moved by more than can be seen.
    func update(from: ColorStatistics?, to: ColorStatistics?) {
        if Self.isNear(self.from, from), Self.isNear(self.to, to) { return }
        (self.from, self.to) = (from, to)
        var bytes = [UInt8](repeating: 255, count: 4 * Self.lattice.count)
        for (index, lab) in Self.lattice.enumerated() {
            var moved = lab
            if let from, let to {
                // A texture of one colour must not make patches of the skin's spread, nor a wild one be flattened.
                let ratio = (to.spread / pointwiseMax(from.spread, SIMD3(repeating: 0.004)))
                    .clamped(lowerBound: SIMD3(repeating: 0.6), upperBound: SIMD3(repeating: 1.4))
                moved = to.mean + ratio * (lab - from.mean)
            }
            let rgb = OklabColor.rgb(moved)
            for component in 0..<3 {
                bytes[4 * index + component] = UInt8(min(255, max(0, (255 * rgb[component]).rounded())))
            }
        }
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        let side = GLsizei(Self.side)
        glTexImage3D(
            GLenum(GL_TEXTURE_3D), 0, GL_RGBA8, side, side, side, 0, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), bytes)
    }

    func bind(unit: Int32) {
        glActiveTexture(GLenum(GL_TEXTURE0 + unit))
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        glActiveTexture(GLenum(GL_TEXTURE0))
    }

    private static func isNear(_ a: ColorStatistics?, _ b: ColorStatistics?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        let (mean, spread) = (a.mean - b.mean, a.spread - b.spread)
        return max((mean * mean).sum(), (spread * spread).sum()) < 0.002 * 0.002
    }
}

/// Where on a face its skin is looked at: cheeks, nose, chin, forehead, and not eyes, brows, lips and the outermost rim.
struct SkinSamples {
    struct Sample {
        let triangle: Triangle
        /// Barycentric coordinates in it.
        let shares: SIMD3<Float>
        /// Where in the map.
        let cell: Int
    }

    let all: [Sample]

    init(_ mesh: FaceMesh, reference: ReferenceFace) {
        let side = FaceLight.side
        let skin = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
        let topology = Landmarks.topology
        // Hair may hang over the forehead's upper part, and ears and background lie close to the outline.
        let left = reference.landmarks[topology.jaw[1]].x
        let right = reference.landmarks[topology.jaw[topology.jaw.count - 2]].x
        let noseRoot = reference.landmarks[topology.noseRoot].y
        let top = noseRoot - 0.75 * (noseRoot - reference.vertices[HeadPoint.hairlineCenter.vertex].y)
        var samples: [Sample] = []
        for y in 0..<(2 * side) {
            for x in 0..<(2 * side) {
                let place = (Point(Float(x), Float(y)) + 0.5) / Float(2 * side)
                guard place.x > left, place.x < right, place.y > top else { continue }
                for triangle in skin where triangle.indices.count(where: topology.features.contains) < 3 {
                    guard let shares = Self.shares(place, triangle, reference.vertices) else { continue }
                    samples.append(Sample(triangle: triangle, shares: shares, cell: y / 2 * side + x / 2))
                    break
                }
            }
        }
        all = samples
    }

    /// Where they lie, given the places of the mesh's vertices; every fourth.
    func places(among vertices: [Point]) -> [Point] {
        stride(from: 0, to: all.count, by: 4).map { index in
            let sample = all[index]
            return sample.shares.x * vertices[sample.triangle.a] + sample.shares.y * vertices[sample.triangle.b]
                + sample.shares.z * vertices[sample.triangle.c]
        }
    }

    private static func shares(_ place: Point, _ triangle: Triangle, _ vertices: [Point]) -> SIMD3<Float>? {
        func area(_ p: Point, _ q: Point) -> Float {
            (p.x - place.x) * (q.y - place.y) - (p.y - place.y) * (q.x - place.x)
        }
        let (a, b, c) = (vertices[triangle.a], vertices[triangle.b], vertices[triangle.c])
        let parts = SIMD3(area(b, c), area(c, a), area(a, b))
        guard parts.min() >= 0, parts.sum() > 0 else { return nil }
        return parts / parts.sum()
    }

    /// Fills what is not known (below 0) from its surroundings, and smooths it all.
    func smoothed(_ values: [Float]) -> [Float] {
        var (sums, weights) = (values.map { max(0, $0) }, values.map { $0 < 0 ? Float(0.0001) : 1 })
        // What nobody knows tends to the mean.
        for index in values.indices where values[index] < 0 { sums[index] = weights[index] }
        // Nearly a Gaussian of σ = 2.4 cells.
        func smooth(_ values: [Float]) -> [Float] {
            CoarseMap(width: FaceLight.side, height: FaceLight.side, values: values).blurred(reach: 2, times: 3).values
        }
        return zip(smooth(sums), smooth(weights)).map { $0 / max($1, 1e-9) }
    }
}
