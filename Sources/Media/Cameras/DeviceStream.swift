import CCamera
import ImageFiles
import Pixels

/// The pictures of a camera of Video4Linux2. Belongs to one thread.
final class DeviceStream: CameraStream {
    /// What the camera delivers.
    let mode: Camera.Mode
    private let path: String
    private let handle: OpaquePointer

    /// Opens and starts a camera.
    /// - Parameter mode: what it is asked for.
    init(_ camera: Camera, mode: Camera.Mode) throws(Camera.Failure) {
        var error = ccamera_error()
        guard let handle = ccamera_open(camera.path, &error) else {
            throw Camera.Failure(path: camera.path, error)
        }
        var got = mode.foreign
        guard ccamera_start(handle, &got, &error) else {
            ccamera_close(handle)
            throw Camera.Failure(path: camera.path, error)
        }
        path = camera.path
        self.handle = handle
        self.mode = Camera.Mode(got)
    }

    deinit { ccamera_close(handle) }

    /// Sets a control.
    /// - Parameter known: the camera's controls.
    /// - Returns: why it could not be set; nil: it is set.
    func set(_ name: String, to value: Int, among known: [Camera.Control]) -> String? {
        guard let control = known.first(where: { $0.name == name }) else { return "it has no control '\(name)'" }
        var error = ccamera_error()
        let isSet = ccamera_set_control(handle, control.identifier, Int32(clamping: value), &error)
        return isSet ? nil : "'\(name)' cannot be \(value)"
    }

    func next(reusing spare: consuming PixelBuffer?) throws -> CameraPicture {
        var frame = ccamera_frame()
        var error = ccamera_error()
        let result = ccamera_next(handle, 100, &frame, &error)
        if result < 0 { throw Camera.Failure(path: path, error) }
        if result == 0 { return .none }
        var pixels = try PixelBuffer.reusing(spare, width: mode.width, height: mode.height, format: .rgba8)
        let isGood = decode(frame, into: &pixels)
        guard ccamera_done(handle, frame.index, &error) else { throw Camera.Failure(path: path, error) }
        return isGood ? .whole(pixels, seconds: frame.seconds) : .damaged
    }

    private func decode(_ frame: ccamera_frame, into pixels: inout PixelBuffer) -> Bool {
        guard let data = frame.data, frame.size > 0 else { return false }
        if mode.format == .motionJPEG {
            return MotionJPEG.decode(UnsafeRawBufferPointer(start: data, count: frame.size), into: &pixels)
        }
        let bytesPerRow = pixels.bytesPerRow
        var frame = frame
        return pixels.withUnsafeMutableBytes { target in
            guard let rgba = target.bindMemory(to: UInt8.self).baseAddress else { return false }
            return ccamera_convert(handle, &frame, rgba, bytesPerRow)
        }
    }
}
