import CPipeWire
import Glibc
import Pixels

/// Receives the frames of a camera of PipeWire. Belongs to one thread; the frames come on another.
package final class PipeWireReader {
    /// A frame. It is valid until the reader's next one is asked for, or the reader ends.
    package struct Frame {
        let frame: cpipewire_frame

        /// `V4L2_PIX_FMT_…`: see `PipeWireSource.Mode`.
        package var format: UInt32 { frame.format }
        /// In pixels.
        package var width: Int { Int(frame.width) }
        /// In pixels.
        package var height: Int { Int(frame.height) }
        /// The monotonic clock when it came, in seconds.
        package var seconds: Double { frame.seconds }
        /// Its bytes; nil: it is damaged.
        package var bytes: UnsafeRawBufferPointer? {
            frame.data.map { UnsafeRawBufferPointer(start: $0, count: frame.size) }
        }

        /// Converts it, unless it is damaged.
        /// - Parameter pixels: `rgba8`, of the frame's size. The frame is not Motion JPEG.
        package func convert(into pixels: inout PixelBuffer) {
            precondition(pixels.format == .rgba8 && pixels.width == width && pixels.height == height)
            guard frame.data != nil else { return }
            let stride = pixels.bytesPerRow
            pixels.withUnsafeMutableBytes { target in
                guard let rgba = target.bindMemory(to: UInt8.self).baseAddress else { return }
                withUnsafePointer(to: frame) { cpipewire_frame_to_rgba($0, rgba, stride) }
            }
        }
    }

    /// Why no more frames come.
    package enum Loss: Error, Equatable, Sendable {
        /// The camera is gone.
        case camera
        /// PipeWire has ended, or does not connect with the camera.
        case server
    }

    private let stream: OpaquePointer

    /// Begins to connect.
    /// - Parameters:
    ///   - mode: what the camera is asked for. It may have another one, because another program uses it.
    /// - Throws: `PipeWireError` if PipeWire is not there.
    package init(_ source: PipeWireSource, mode: PipeWireSource.Mode) throws(PipeWireError) {
        var error: Int32 = 0
        let wanted = cpipewire_mode(
            format: mode.format, width: UInt32(clamping: mode.width), height: UInt32(clamping: mode.height),
            rate: max(0, min(mode.rate, 1000)))
        guard let stream = cpipewire_stream_new(source.serial, wanted, source.socket, &error) else {
            throw PipeWireError(error)
        }
        self.stream = stream
    }

    deinit { cpipewire_stream_free(stream) }

    /// Waits for the newest frame that has not been taken.
    /// - Parameter milliseconds: how long at most.
    /// - Returns: nil if no frame comes within that time.
    package func next(milliseconds: Int32) throws(Loss) -> Frame? {
        var frame = cpipewire_frame()
        switch cpipewire_stream_next(stream, milliseconds, &frame) {
        case 1: return Frame(frame: frame)
        case 0: return nil
        case -ENODEV: throw .camera
        default: throw .server
        }
    }
}
