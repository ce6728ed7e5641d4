import Graphics
import MaskComposition
import Masks
import Pixels

/// A mask's texture on the GPU: sRGB-encoded, premultiplied, multiplied by the soft edge of the mesh, with mipmaps.
final class LayerTexture {
    let texture: Texture2D
    private let levels: Int
    /// The source of the soft edge, once a part of it has changed; nil: unchanged.
    private var source: Texture2D?
    /// Smaller textures are enlarged, so that the soft edge is drawn finely.
    private static let leastSide = 256

    /// - Parameter baking: draws the soft edge.
    init(_ reference: TextureReference, baking: SoftEdgeBaking) throws(GraphicsError) {
        let source = try Self.source(reference.texture)
        let longer = max(source.width, source.height)
        let scale = reference.softEdge == nil ? 1 : max(1, (Self.leastSide + longer - 1) / longer)
        texture = Texture2D()
        texture.allocate(width: scale * source.width, height: scale * source.height, format: .rgba8)
        levels = Int.bitWidth - max(texture.width, texture.height).leadingZeroBitCount
        try baking.draw(
            source, softEdge: reference.softEdge, coordinates: reference.coordinates, into: texture)
        texture.generateMipmap()
    }

    /// Takes over a part of the texture that has changed.
    /// - Parameters:
    ///   - reference: to the texture with the change.
    ///   - changed: inside the texture.
    func update(
        _ reference: TextureReference, changed: PixelRectangle, baking: SoftEdgeBaking
    ) throws(GraphicsError) {
        let drawn: Texture2D
        if let source {
            drawn = source
            source.replace(try Self.premultiplied(reference.texture, changed), at: (changed.x, changed.y))
        } else {
            drawn = try Self.source(reference.texture)
            source = drawn
        }
        // With a margin for what interpolation takes from neighbours.
        let scale = texture.width / drawn.width
        let area = PixelRectangle(
            x: scale * (changed.x - 1), y: scale * (changed.y - 1), width: scale * (changed.width + 2),
            height: scale * (changed.height + 2))
        texture.useAllLevels()
        try baking.draw(
            drawn, softEdge: reference.softEdge, coordinates: reference.coordinates, into: texture, only: area)
        texture.generateMipmap()
    }

    private static func source(_ texture: Texture) throws(GraphicsError) -> Texture2D {
        let source = Texture2D()
        source.upload(try premultiplied(texture, texture.pixels.bounds))
        return source
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

    private static func premultiplied(
        _ texture: Texture, _ area: PixelRectangle
    ) throws(GraphicsError) -> PixelBuffer {
        var result: PixelBuffer
        do {
            result = try PixelBuffer(width: area.width, height: area.height, format: .rgba8)
        } catch {
            throw GraphicsError(.outOfMemory, "\(texture.path): \(error)")
        }
        for y in 0..<area.height {
            texture.pixels.withRow(area.y + y) { source in
                result.withMutableRow(y) { row in
                    for x in row.indices {
                        let pixel = source[area.x + x]
                        let alpha = UInt16(pixel.w)
                        func times(_ component: UInt8) -> UInt8 { UInt8((UInt16(component) * alpha + 127) / 255) }
                        row[x] =
                            alpha == 255 ? pixel : SIMD4(times(pixel.x), times(pixel.y), times(pixel.z), pixel.w)
                    }
                }
            }
        }
        return result
    }
}
