import FaceGeometry
import Masks
import Pixels

/// The properties that composition derives from a texture once: how it lies on the refined mesh, which triangles show
/// any of it, and its colours.
final class LayerTextureInfo {
    /// Of the refined mesh's vertices, 0…1.
    let coordinates: [Point]
    /// The triangles that show a part of the texture that is not transparent.
    let visibleTriangles: [Triangle]
    /// Of the texture where the skin is, or of all of it if it covers little skin; nil if it is transparent.
    let colors: ColorStatistics?
    /// For each of `side`² cells of the texture, whether any texel in it is not transparent.
    private let isPainted: [Bool]
    private static let side = 128
    /// How opaque the texture is at texels of the face, 0…1, once it is asked for.
    private var coverage: [Float] = []

    /// - Parameter texels: always the same.
    func coverage(_ texture: Texture, at texels: FaceTexels) -> [Float] {
        if coverage.isEmpty { coverage = Self.coverage(texture.pixels, texels) }
        return coverage
    }

    /// The mean alpha of the texture's texels under each texel of the face: where it lies on the template.
    private static func coverage(_ pixels: borrowing PixelBuffer, _ texels: FaceTexels) -> [Float] {
        let (width, height) = (pixels.width, pixels.height)
        let size = Point(Float(width), Float(height))
        var result: [Float] = []
        result.reserveCapacity(texels.texels.count)
        for texel in texels.texels {
            let (low, high) = ((texel.place - texels.spacing / 2) * size, (texel.place + texels.spacing / 2) * size)
            let columns = max(0, Int(low.x))..<max(Int(low.x) + 1, min(width, Int(high.x.rounded(.up))))
            let rows = max(0, Int(low.y))..<max(Int(low.y) + 1, min(height, Int(high.y.rounded(.up))))
            var sum = 0
            for y in rows { pixels.withRow(y) { row in for x in columns { sum += Int(row[x].w) } } }
            result.append(Float(sum) / Float(255 * rows.count * columns.count))
        }
        return result
    }

    /// - Parameters:
    ///   - triangles: of the refined mesh, those that may be drawn.
    ///   - earlier: that of an earlier revision of the picture with the same coordinates, and what differs from it.
    init(
        _ reference: TextureReference, refined: RefinedMesh, triangles: [Triangle], samples: SkinSamples,
        earlier: (info: LayerTextureInfo, changed: PixelRectangle)? = nil
    ) {
        let coordinates = earlier?.info.coordinates ?? refined.textureCoordinates(reference.coordinates)
        self.coordinates = coordinates
        colors = Self.colors(of: reference.texture, at: samples.places(among: reference.coordinates))
        var isPainted = earlier?.info.isPainted ?? Array(repeating: false, count: Self.side * Self.side)
        Self.update(&isPainted, from: reference.texture.pixels, in: earlier?.changed ?? reference.texture.pixels.bounds)
        self.isPainted = isPainted
        visibleTriangles = Self.triangles(triangles, with: isPainted, coordinates: coordinates)
    }

    /// The triangles that touch a painted cell.
    private static func triangles(
        _ triangles: [Triangle], with isPainted: [Bool], coordinates: [Point]
    ) -> [Triangle] {
        func cells(_ low: Float, _ high: Float) -> ClosedRange<Int> {
            // With a margin for what smaller mipmap levels mix in from neighbouring texels.
            let first = max(0, min(side - 1, Int(max(-1e3, low) * Float(side)) - 3))
            return first...max(first, min(side - 1, Int(min(1e3, high) * Float(side)) + 3))
        }
        return triangles.filter { triangle in
            let bounds = FaceBox(around: triangle.indices.map { coordinates[$0] })
            let columns = cells(bounds.x, bounds.x + bounds.width)
            return cells(bounds.y, bounds.y + bounds.height).contains { y in
                columns.contains { isPainted[y * side + $0] }
            }
        }
    }

    /// Looks again at the cells that a part of the texture touches.
    private static func update(
        _ isPainted: inout [Bool], from pixels: borrowing PixelBuffer, in area: PixelRectangle
    ) {
        let (width, height) = (pixels.width, pixels.height)
        // Cells of small textures overlap.
        func cells(_ start: Int, _ length: Int, of size: Int) -> Range<Int> {
            let first = max(0, start * side / size - 1)
            return first..<max(first, min(side, ((start + length) * side + size - 1) / size + 1))
        }
        let across = cells(area.x, area.width, of: width)
        for y in cells(area.y, area.height, of: height) {
            let rows = (y * height / side)..<max(y * height / side + 1, ((y + 1) * height + side - 1) / side)
            for x in across {
                let columns = (x * width / side)..<max(x * width / side + 1, ((x + 1) * width + side - 1) / side)
                var isFound = false
                for line in rows where !isFound {
                    isFound = pixels.withRow(min(height - 1, line)) { row in
                        columns.contains { row[min(width - 1, $0)].w > 0 }
                    }
                }
                isPainted[y * side + x] = isFound
            }
        }
    }

    /// - Parameter places: of the skin on the texture, 0…1.
    private static func colors(of texture: Texture, at places: [Point]) -> ColorStatistics? {
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        func lab(_ x: Int, _ y: Int) -> SIMD3<Float>? {
            guard x >= 0, y >= 0, x < width, y < height else { return nil }
            let pixel = texture.pixels[x, y]
            guard pixel.w > 127 else { return nil }
            return OklabColor.lab(SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / 255)
        }
        let onSkin = places.compactMap { place in
            lab(Int((place.x * Float(width)).rounded(.down)), Int((place.y * Float(height)).rounded(.down)))
        }
        if 4 * onSkin.count > places.count { return ColorStatistics(onSkin) }
        let step = max(1, max(width, height) / 64)
        var labs: [SIMD3<Float>] = []
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) { if let lab = lab(x, y) { labs.append(lab) } }
        }
        return ColorStatistics(labs)
    }
}
