import FaceGeometry
import Masks
import Pixels

/// What composition derives from a texture once: how it lies on the refined mesh, which triangles show any of it, and its
/// colours.
final class LayerTextureInfo {
    /// Of the refined mesh's vertices, 0…1.
    let coordinates: [Point]
    /// The triangles that show a part of the texture that is not transparent.
    let visibleTriangles: [Triangle]
    /// Of the texture where the skin is, or of all of it if it covers little skin; nil if it is transparent.
    let colors: ColorStatistics?

    /// - Parameters:
    ///   - triangles: of the refined mesh, those that may be drawn.
    init(_ reference: TextureReference, refined: RefinedMesh, triangles: [Triangle], samples: SkinSamples) {
        let coordinates = refined.textureCoordinates(reference.coordinates)
        self.coordinates = coordinates
        colors = Self.colors(of: reference.texture, at: samples.places(among: reference.coordinates))
        visibleTriangles = Self.visibleTriangles(of: reference.texture, among: triangles, coordinates: coordinates)
    }

    private static func visibleTriangles(
        of texture: Texture, among triangles: [Triangle], coordinates: [Point]
    ) -> [Triangle] {
        let side = 128
        let isPainted = paintedCells(of: texture, side: side)
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

    /// For each of `side`² cells, whether any texel in it is not transparent.
    private static func paintedCells(of texture: Texture, side: Int) -> [Bool] {
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        var isPainted = [Bool](repeating: false, count: side * side)
        for y in 0..<side {
            let rows = (y * height / side)..<max(y * height / side + 1, ((y + 1) * height + side - 1) / side)
            for x in 0..<side {
                let columns = (x * width / side)..<max(x * width / side + 1, ((x + 1) * width + side - 1) / side)
                isPainted[y * side + x] = rows.contains { line in
                    texture.pixels.withRow(min(height - 1, line)) { row in
                        columns.contains { row[min(width - 1, $0)].w > 0 }
                    }
                }
            }
        }
        return isPainted
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
