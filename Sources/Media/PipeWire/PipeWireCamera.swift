import CPipeWire
import Glibc
import Machine
import Pixels

/// A camera named Bauta that other programs see through PipeWire, without a kernel module. Any thread may use it.
///
/// It is a node of the class `Video/Source`, and offers I420, NV12, YUY2 and RGBA. YUV has limited range and the matrix of ITU-R
/// BT.601. It works on a thread of its own, and connects again by itself when PipeWire has been started anew.
/// https://docs.pipewire.org
package final class PipeWireCamera: Sendable {
    /// The name that programs show.
    static let name = "Bauta"

    /// In pixels, even: of odd frames, the last column or row is left out.
    private let width, height: Int
    /// Its functions may be called on any thread.
    nonisolated(unsafe) private let camera: OpaquePointer

    /// Whether programs get pictures.
    package struct Status: Equatable, Sendable {
        /// Why the camera is not there now; it tries again. Nil: it is there, or about to be.
        package let trouble: PipeWireError?
        /// Whether a program takes pictures. Without one, pictures are neither copied nor converted.
        package let isWatched: Bool
        /// Whether a program takes pictures and has got none yet.
        package let awaitsPicture: Bool
        /// The number of pictures that programs have got, repeated ones included.
        package let sentPictures: Int
    }

    /// - Parameter socket: the path of PipeWire's socket; nil: that of the session.
    /// - Throws: `PipeWireError` if the library or its session is not there.
    package static func check(socket: String? = nil) throws(PipeWireError) {
        guard cpipewire_is_available() else { throw .noLibrary }
        let error = cpipewire_check(socket)
        if error != 0 { throw PipeWireError(error) }
    }

    /// Begins to connect.
    /// - Parameters:
    ///   - width: of frames, in pixels; `height` too.
    ///   - frameRate: the expected number of frames per second.
    ///   - socket: the path of PipeWire's socket; nil: that of the session.
    /// - Throws: `PipeWireError` if the library is not there, frames have fewer than 2 or more than 16,384 pixels on a side,
    ///   or there is no memory or no thread.
    package init(width: Int, height: Int, frameRate: Double, socket: String? = nil) throws(PipeWireError) {
        guard (2...16384).contains(width), (2...16384).contains(height) else { throw .size(width, height) }
        guard cpipewire_is_available() else { throw .noLibrary }
        (self.width, self.height) = (width / 2 * 2, height / 2 * 2)
        let rate = Self.fraction(frameRate)
        guard
            let camera = cpipewire_camera_new(
                Self.name, UInt32(self.width), UInt32(self.height), rate.frames, rate.seconds,
                socket)
        else { throw .noMemory }
        self.camera = camera
    }

    deinit { cpipewire_camera_free(camera) }

    package var status: Status {
        let status = cpipewire_camera_status(camera)
        return Status(
            trouble: status.error > 0 ? PipeWireError(status.error) : nil, isWatched: status.is_watched,
            awaitsPicture: status.awaits_picture, sentPictures: Int(status.sent))
    }

    /// Copies a frame for the programs that take pictures, in place of one that they have not got yet. It does not wait for
    /// them. The last frame is repeated four times per second.
    /// - Parameter pixels: `rgba8`, of the size of the camera's frames.
    package func offer(_ pixels: borrowing PixelBuffer) {
        precondition(
            pixels.format == .rgba8 && pixels.width / 2 * 2 == width && pixels.height / 2 * 2 == height)
        let stride = pixels.bytesPerRow
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            cpipewire_camera_offer(camera, base.assumingMemoryBound(to: UInt8.self), stride)
        }
    }

    /// 30/1, or 30000/1001 for 29.97.
    static func fraction(_ rate: Double) -> (frames: UInt32, seconds: UInt32) {
        let rate = max(1, min(rate, 1000))
        for seconds in [1, 1001, 100] {
            let frames = (rate * Double(seconds)).rounded()
            // Rates are rounded to two digits elsewhere.
            let error = (frames / Double(seconds) - rate).magnitude
            if error < 0.005, seconds != 1001 || Int(frames) % 1000 == 0 { return (UInt32(frames), UInt32(seconds)) }
        }
        return (UInt32(rate.rounded()), 1)
    }
}
