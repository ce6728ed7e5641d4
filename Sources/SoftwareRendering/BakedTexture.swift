import CRasterizer
import Pixels

/// A mask's texture, ready to be sampled: sRGB-encoded, premultiplied, multiplied by the soft edge of the mesh, with
/// mipmap levels.
final class BakedTexture {
    /// From the largest to a single texel.
    private let levels: [Texels]

    /// - Parameter largest: the first level.
    init(_ largest: Texels) throws(OutOfMemory) {
        var levels = [largest]
        while max(levels[levels.count - 1].width, levels[levels.count - 1].height) > 1 {
            levels.append(try Self.halved(levels[levels.count - 1]))
        }
        self.levels = levels
    }

    /// Of the first level, in texels.
    var width: Int { levels[0].width }
    var height: Int { levels[0].height }

    /// The level for the whole of a face: up to one and a half texels per pixel, interpolation between four neighbours
    /// misses none.
    func level(texelsPerPixel: Float) -> Texels {
        var (level, rest) = (0, texelsPerPixel)
        while rest > 1.5, level < levels.count - 1 {
            rest /= 2
            level += 1
        }
        return levels[level]
    }

    private static func halved(_ texels: Texels) throws(OutOfMemory) -> Texels {
        let result = try Texels(width: max(1, texels.width / 2), height: max(1, texels.height / 2))
        let buffers = LayerBuffers()
        buffers.setRectangle(of: texels, on: result)
        TextureDrawing.draw(buffers, texels.texture, edge: nil, into: result)
        return result
    }
}

/// Draws textures from textures.
enum TextureDrawing {
    /// The edge's alpha is a distance; `feather` is the width of the soft edge, as a share of the largest distance.
    typealias Edge = (distances: Texels, feather: Float)

    /// Replaces what the triangles cover.
    static func draw(_ buffers: LayerBuffers, _ source: crasterizer_texture, edge: Edge?, into target: Texels) {
        var layer = crasterizer_layer()
        layer.colors = source
        layer.blend_mode = Int32(CRASTERIZER_COPY)
        layer.value_count = edge == nil ? 3 : 7
        if let edge {
            layer.edge = edge.distances.texture
            layer.edge_feather = edge.feather
        }
        buffers.prepare(
            &layer, bounds: PixelRectangle(x: 0, y: 0, width: target.width, height: target.height), drawsBothSides: true
        )
        var picture = target.picture
        var encoding = crasterizer_encoding()
        let scratch = Scratch()
        for top in stride(from: 0, to: target.height, by: Int(CRASTERIZER_TILE_HEIGHT)) {
            for left in stride(from: 0, to: target.width, by: Int(CRASTERIZER_TILE_WIDTH)) {
                crasterizer_draw_tile(
                    crasterizer_newest_generation(), &picture, &encoding, &layer, 1, Int32(left), Int32(top),
                    scratch.memory)
            }
        }
        target.repeatBorder()
    }
}

/// The memory that a thread draws with.
final class Scratch: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer

    init() { memory = .allocate(byteCount: crasterizer_scratch_size(), alignment: 64) }

    deinit { memory.deallocate() }
}
