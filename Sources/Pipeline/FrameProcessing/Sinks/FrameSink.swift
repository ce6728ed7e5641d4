import Compositing
import Pixels

/// Where masked frames go: a window, a file, a stream, a virtual camera. It belongs to one thread.
package protocol FrameSink: AnyObject {
    /// Takes the next frame. May wait until there is room for it.
    /// - Returns: memory that is not needed any more, for another frame.
    /// - Throws: the error that ends the sink for good.
    func take(_ frame: consuming Frame) throws -> PixelBuffer?

    /// Completes the output after the last frame.
    func finish() throws
}
