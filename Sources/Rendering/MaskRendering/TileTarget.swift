import Graphics
import Pixels

/// A tile of the picture on the GPU, twice: the one that is drawn into, and a copy of what is below the current layer.
final class TileTarget {
    /// Larger rectangles are drawn in tiles, which bounds the memory used on the GPU.
    static let side = 2048

    /// The picture below the current layer, for shaders that blend.
    let below = Texture2D(filter: .nearest)
    private let drawn = Texture2D(filter: .nearest)
    private let frameBuffer = FrameBuffer()

    init(format: PixelFormat) throws(GraphicsError) {
        below.allocate(width: Self.side, height: Self.side, format: format)
        drawn.allocate(width: Self.side, height: Self.side, format: format)
        try frameBuffer.attach(drawn)
    }

    func upload(_ picture: borrowing PixelBuffer, _ tile: PixelRectangle) { drawn.uploadCorner(picture, tile) }

    /// Binds the tile for drawing.
    func begin() { frameBuffer.bind() }

    /// Copies what has been drawn so far into `below`.
    /// - Parameter area: the part that is needed, inside the tile.
    func copyBelow(_ area: PixelRectangle) { frameBuffer.copy(area, into: below) }

    func download(_ tile: PixelRectangle, into picture: inout PixelBuffer) { frameBuffer.read(into: &picture, tile) }
}
