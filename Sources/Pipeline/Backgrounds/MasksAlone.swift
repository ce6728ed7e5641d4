import Compositing
import Pixels

/// Shows masks, and nothing of the picture that they were drawn on. Its colours stay until then, because masks take on their light.
package final class MasksAlone: FrameEffect {
    package init() {}

    package var keepsAlpha: Bool { false }
    package var showsPeople: Bool { false }

    package func apply(to picture: inout PixelBuffer) {
        for y in 0..<picture.height { picture.withMutableRow(y) { row in for x in row.indices { row[x].w = 0 } } }
    }

    package func finish(_ picture: inout PixelBuffer) {
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices where row[x].w == 0 { row[x] = SIMD4(repeating: 0) }
            }
        }
    }

    package func interrupt() {}
}
