import Pixels
import Synchronization

/// Memory of frames that are done with, for frames to come. Keeps a few buffers; more are freed.
package final class SparePixels: Sendable {
    private let buffers = Mutex(Slots())

    private struct Slots: ~Copyable, Sendable {
        var buffers = InlineArray<4, PixelBuffer?> { _ in nil }
    }

    package init() {}

    package func give(_ pixels: consuming PixelBuffer) {
        var pixels: PixelBuffer? = consume pixels
        buffers.withLock { slots in
            for index in slots.buffers.indices where slots.buffers[index] == nil {
                slots.buffers[index] = pixels.take()
                return
            }
        }
    }

    package func take() -> PixelBuffer? {
        buffers.withLock { slots in
            for index in slots.buffers.indices {
                if let pixels = slots.buffers[index].take() { return pixels }
            }
            return nil
        }
    }
}
