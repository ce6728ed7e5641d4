import CRasterizer
import Pixels

/// A mask's texture, ready to be sampled: sRGB-encoded, premultiplied, multiplied by the soft edge of the mesh, with
/// mipmap levels.
final class BakedTexture {
    /// From the largest to a single texel.
    private let levels: [Texels]
    /// The source of the first level, once a part of it has changed; nil: unchanged.
    var source: Texels?
    /// Of the first level, of 8 bits per component, as long as it does not change.
    private(set) lazy var opaqueArea = AlphaArea(levels[0], cellSize: 1) { $0 == 255 }
    /// Of each level; nil: not known yet.
    private var transparentAreas: [AlphaArea?]

    /// - Parameter largest: the first level.
    init(_ largest: Texels) throws(OutOfMemory) {
        var levels = [largest]
        while max(levels[levels.count - 1].width, levels[levels.count - 1].height) > 1 {
            levels.append(try Self.halved(levels[levels.count - 1]))
        }
        self.levels = levels
        transparentAreas = levels.map { _ in nil }
    }

    /// The first level, to be changed. Afterwards, `updateSmaller` changes the others.
    var largest: Texels { levels[0] }

    /// Takes over a change of the first level.
    /// - Parameter changed: of that level.
    func updateSmaller(_ changed: PixelRectangle) {
        for level in levels.indices { transparentAreas[level] = nil }
        var changed = changed
        let buffers = LayerBuffers()
        for (larger, smaller) in zip(levels, levels.dropFirst()) {
            // With a margin for what interpolation takes from neighbours.
            let (left, top) = (changed.x / 2 - 1, changed.y / 2 - 1)
            let (right, bottom) = ((changed.x + changed.width) / 2 + 2, (changed.y + changed.height) / 2 + 2)
            changed = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
                .intersection(smaller.bounds)
            guard !changed.isEmpty else { return }
            buffers.setRectangle(of: larger, on: smaller)
            TextureDrawing.draw(buffers, larger.texture, edge: nil, into: smaller, only: changed)
        }
    }

    /// Of the first level, in texels.
    var width: Int { levels[0].width }
    var height: Int { levels[0].height }

    /// The level for the whole of a face: up to one and a half texels per pixel, interpolation between four neighbours
    /// misses none.
    /// - Returns: the level, and where it is transparent.
    func level(texelsPerPixel: Float) -> (texels: Texels, transparentArea: AlphaArea) {
        var (level, rest) = (0, texelsPerPixel)
        while rest > 1.5, level < levels.count - 1 {
            rest /= 2
            level += 1
        }
        let area = transparentAreas[level] ?? AlphaArea(levels[level], cellSize: 4) { $0 == 0 }
        transparentAreas[level] = area
        return (levels[level], area)
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
    /// - Parameter rectangle: inside the target: what is replaced of it; nil: all.
    static func draw(
        _ buffers: LayerBuffers, _ source: crasterizer_texture, edge: Edge?, into target: Texels,
        only rectangle: PixelRectangle? = nil
    ) {
        let area = rectangle ?? target.bounds
        var layer = crasterizer_layer()
        layer.colors = source
        layer.blend_mode = Int32(CRASTERIZER_COPY)
        layer.value_count = edge == nil ? 3 : 7
        if let edge {
            layer.edge = edge.distances.texture
            layer.edge_feather = edge.feather
        }
        buffers.prepare(&layer, bounds: area, drawsBothSides: true)
        // What is transparent is not drawn.
        if let rectangle { target.update(in: rectangle) { _ in SIMD4(0, 0, 0, 0) } }
        var picture = target.picture
        var encoding = crasterizer_encoding()
        let scratch = Scratch()
        let (tileWidth, tileHeight) = (Int(CRASTERIZER_TILE_WIDTH), Int(CRASTERIZER_TILE_HEIGHT))
        for top in stride(from: area.y / tileHeight * tileHeight, to: area.y + area.height, by: tileHeight) {
            for left in stride(from: area.x / tileWidth * tileWidth, to: area.x + area.width, by: tileWidth) {
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
