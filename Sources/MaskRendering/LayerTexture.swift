import Graphics
import MaskComposition
import Masks
import Pixels

/// A mask's texture on the GPU: sRGB-encoded, premultiplied, multiplied by the soft edge of the mesh, with mipmaps.
final class LayerTexture {
    let texture: Texture2D
    private let levels: Int
    /// Smaller textures are enlarged, so that the soft edge is drawn finely.
    private static let leastSide = 256

    /// - Parameter baking: draws the soft edge.
    init(_ reference: TextureReference, baking: SoftEdgeBaking) throws(GraphicsError) {
        let pixels: PixelBuffer
        do {
            pixels = try Self.premultiplied(reference.texture.pixels)
        } catch {
            throw GraphicsError(.outOfMemory, "\(reference.texture.path): \(error)")
        }
        let source = Texture2D()
        source.upload(pixels)
        let longer = max(source.width, source.height)
        let scale = reference.softEdge == nil ? 1 : max(1, (Self.leastSide + longer - 1) / longer)
        texture = Texture2D()
        texture.allocate(width: scale * source.width, height: scale * source.height, format: .rgba8)
        levels = Int.bitWidth - max(texture.width, texture.height).leadingZeroBitCount
        try baking.draw(
            source, softEdge: reference.softEdge, coordinates: reference.coordinates, into: texture)
        texture.generateMipmap()
    }

    /// Binds the texture with one mipmap level for the whole face: selecting it per pixel would cost as much as the rest of
    /// a lookup.
    func bind(texelsPerPixel: Float, unit: Int = 0) {
        // Up to one and a half texels per pixel, interpolation between four neighbours misses none.
        var (level, rest) = (0, texelsPerPixel)
        while rest > 1.5, level < levels - 1 {
            rest /= 2
            level += 1
        }
        texture.bind(unit: unit, level: level)
    }

    private static func premultiplied(_ pixels: borrowing PixelBuffer) throws(OutOfMemory) -> PixelBuffer {
        var result = try pixels.copy()
        for y in 0..<result.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let pixel = row[x]
                    guard pixel.w < 255 else { continue }
                    let alpha = UInt16(pixel.w)
                    func times(_ component: UInt8) -> UInt8 { UInt8((UInt16(component) * alpha + 127) / 255) }
                    row[x] = SIMD4(times(pixel.x), times(pixel.y), times(pixel.z), pixel.w)
                }
            }
        }
        return result
    }
}
