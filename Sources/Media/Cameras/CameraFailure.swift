import CCamera
import Glibc

extension Camera {
    /// Why a camera cannot be used.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let path: String
        /// `errno` of the call that failed; 0: none.
        package let code: Int32
        /// What was being done: "choosing a format".
        package let doing: String

        static let looking = "looking for it"

        package var description: String {
            if doing == Self.looking {
                return path.isEmpty
                    ? "There is no camera. It is used as soon as one is plugged in. To go on without a camera, name a clip, or 'drawn'."
                    : "There is no camera called '\(path)'. It is used as soon as it is plugged in."
            }
            return switch code {
            case ENOENT, ENXIO: "\(path): there is no such camera (any more)"
            case ENODEV: "\(path): the camera has been unplugged"
            case EBUSY: "\(path): the camera is in use by another program; close that one"
            case EACCES, EPERM:
                "\(path): you may not use this camera; 'sudo usermod -aG video $USER' and a new login allow it"
            case ENOTTY: "\(path): is not a camera that gives pictures"
            case EPROTONOSUPPORT: "\(path): none of its picture formats can be read (\(doing))"
            case ENOSPC: "\(path): the USB bus has no room for this camera beside the others; use another port"
            default: "\(path): \(doing) fails: \(String(cString: strerror(code)))"
            }
        }

        /// Whether there is no such device at the moment.
        var isMissing: Bool { code == ENOENT || code == ENXIO || doing == Self.looking }

        /// Whether the device will never give pictures, so that waiting for it is useless.
        package var isFinal: Bool { code == ENOTTY || code == EPROTONOSUPPORT }
    }
}

extension Camera.Failure {
    init(unreadableFormatsOf camera: Camera) {
        let names = Set(camera.modes.map(\.formatName)).sorted()
        self.init(
            path: camera.path, code: EPROTONOSUPPORT,
            doing: names.isEmpty ? "it has none" : names.joined(separator: ", "))
    }

    init(path: String, _ error: ccamera_error) {
        var error = error
        let text = withUnsafePointer(to: &error.message) {
            $0.withMemoryRebound(to: CChar.self, capacity: 128) { String(cString: $0) }
        }
        self.init(path: path, code: error.code, doing: text)
    }
}
