import CRasterizer
import Pixels

/// The pieces of work on one picture: its layers, which are prepared, and then its tiles. `@unchecked`: it changes only
/// between runs of `DrawingThreads`, and each thread has scratch memory of its own.
final class TileJob: PictureWork, @unchecked Sendable {
    var picture = crasterizer_picture()
    var encoding = crasterizer_encoding()
    /// From the bottom up.
    var layers: [crasterizer_layer] = []
    /// One for each layer, or more.
    var buffers: [LayerBuffers] = []
    /// The layers while they are prepared.
    private var unprepared: UnsafeMutableBufferPointer<crasterizer_layer>?
    private let generation: ProcessorGeneration
    /// Of each thread.
    private let scratch: [Scratch]
    /// Where the first tile begins; multiples of 16.
    private var origin = (x: 0, y: 0)
    private var columns = 0

    init(generation: ProcessorGeneration, threads: Int) {
        self.generation = generation
        scratch = (0..<threads).map { _ in Scratch() }
    }

    /// Divides a part of the picture into tiles.
    /// - Returns: how many there are.
    func divide(_ area: PixelRectangle) -> Int {
        let (width, height) = (Int(CRASTERIZER_TILE_WIDTH), Int(CRASTERIZER_TILE_HEIGHT))
        origin = (area.x / 16 * 16, area.y / 16 * 16)
        columns = (area.x + area.width - origin.x + width - 1) / width
        return columns * ((area.y + area.height - origin.y + height - 1) / height)
    }

    /// Prepares the triangles of all layers.
    /// - Parameter run: calls `work` for each piece.
    func prepare(_ run: (_ pieces: Int) -> Void) {
        layers.withUnsafeMutableBufferPointer { layers in
            unprepared = layers
            run(layers.count)
            unprepared = nil
        }
    }

    /// Prepares a layer during `prepare`, otherwise draws a tile.
    func work(_ piece: Int, thread: Int) {
        if let unprepared {
            buffers[piece].prepareHeld(&unprepared[piece])
        } else {
            draw(piece, thread: thread)
        }
    }

    /// Not inlined: an access to `layers` must not move out of it, to where layers are prepared.
    @inline(never)
    private func draw(_ tile: Int, thread: Int) {
        let left = origin.x + tile % columns * Int(CRASTERIZER_TILE_WIDTH)
        let top = origin.y + tile / columns * Int(CRASTERIZER_TILE_HEIGHT)
        withUnsafePointer(to: picture) { picture in
            withUnsafePointer(to: encoding) { encoding in
                crasterizer_draw_tile(
                    generation.value, picture, encoding, layers, Int32(layers.count), Int32(left), Int32(top),
                    scratch[thread].memory)
            }
        }
    }
}

/// Generations of processors that the rasteriser is compiled for.
package enum ProcessorGeneration: CaseIterable, Sendable, CustomStringConvertible {
    case baseline, avx2, avx512

    var value: crasterizer_generation {
        switch self {
        case .baseline: CRASTERIZER_BASELINE
        case .avx2: CRASTERIZER_AVX2
        case .avx512: CRASTERIZER_AVX512
        }
    }

    package static var newest: ProcessorGeneration {
        let newest = crasterizer_newest_generation()
        return allCases.first { $0.value == newest } ?? .baseline
    }

    /// Those that this processor belongs to.
    package static var supported: [ProcessorGeneration] {
        let newest = crasterizer_newest_generation()
        return allCases.filter { $0.value.rawValue <= newest.rawValue }
    }

    package var description: String {
        switch self {
        case .baseline: "baseline"
        case .avx2: "AVX2"
        case .avx512: "AVX-512"
        }
    }
}
