import Clips
import Compositing
import Pixels
import Threads

/// Writes frames to a file, a device or an address with `ClipWriter`, and waits where ffmpeg takes its time.
package final class ClipSink: FrameSink {
    private let writer: ClipWriter
    private let stopSignal: StopSignal
    private let handler: Int

    /// - Parameter stopSignal: ends ffmpeg, so that a frame that waits for it fails.
    package init(
        width: Int, height: Int, settings: ClipWriter.Settings, stopSignal: StopSignal
    ) throws(ClipError) {
        writer = try ClipWriter(width: width, height: height, settings: settings)
        self.stopSignal = stopSignal
        handler = stopSignal.onStop(writer.stopper())
    }

    deinit { stopSignal.forget(handler) }

    /// - Parameter frame: of the sink's size, `rgba8`.
    package func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        try writer.write(frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    package func finish() throws { try writer.finish() }
}
