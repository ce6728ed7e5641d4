import Glibc
import ImageFiles
import PipeWire
import Pixels

/// The pictures of a camera of PipeWire. Belongs to one thread.
final class PipeWireStream: CameraStream {
    private let path: String
    private let reader: PipeWireReader

    /// Begins to connect with a camera.
    /// - Parameters:
    ///   - path: for messages.
    ///   - mode: what it is asked for.
    init(_ source: PipeWireSource, path: String, mode: Camera.Mode) throws(Camera.Failure) {
        let asked = PipeWireSource.Mode(
            format: mode.format.code, width: mode.width, height: mode.height, rate: mode.rate)
        do throws(PipeWireError) {
            reader = try PipeWireReader(source, mode: asked)
        } catch {
            throw Camera.Failure(path: path, code: EHOSTDOWN, doing: error.reason)
        }
        self.path = path
    }

    func next(reusing spare: consuming PixelBuffer?) throws -> CameraPicture {
        let frame: PipeWireReader.Frame?
        do throws(PipeWireReader.Loss) {
            frame = try reader.next(milliseconds: 100)
        } catch {
            switch error {
            case .camera: throw Camera.Failure(path: path, code: ENODEV, doing: "reading")
            case .server: throw Camera.Failure(path: path, code: EHOSTDOWN, doing: "PipeWire has closed the camera")
            }
        }
        guard let frame else { return .none }
        guard let bytes = frame.bytes else { return .damaged }
        var pixels = try PixelBuffer.reusing(spare, width: frame.width, height: frame.height, format: .rgba8)
        if frame.format == Camera.Mode.Format.motionJPEG.code {
            guard MotionJPEG.decode(bytes, into: &pixels) else { return .damaged }
        } else {
            frame.convert(into: &pixels)
        }
        return .whole(pixels, seconds: frame.seconds)
    }
}
