import CCamera
import Glibc

extension Camera {
    /// Why a camera cannot be used.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let path: String
        /// `errno` of the call that failed; 0: none.
        package let code: Int32
        /// The failed action: "choosing a format".
        package let doing: String

        static let looking = "looking for it"
        /// The end of a description for people at a command line. A window offers the same as buttons.
        package static let alternatives = " To continue without a camera, name a clip or 'drawn'."

        package var description: String {
            if doing == Self.looking {
                return path.isEmpty
                    ? "No camera was found. One will be used as soon as it is plugged in." + Self.alternatives
                    : "No camera named '\(path)' was found. It will be used as soon as it is plugged in."
            }
            return switch code {
            case ENOENT, ENXIO: "\(path): the camera does not exist or is gone"
            case ENODEV: "\(path): the camera was unplugged"
            case EBUSY: "\(path): another program is using the camera; close that program"
            case EACCES, EPERM:
                "\(path): no permission to use this camera; run 'sudo usermod -aG \(group) $USER' and log in again"
            case EHOSTDOWN: "\(path): \(doing)"
            case ENOTTY: "\(path): is not a camera that delivers pictures"
            case EPROTONOSUPPORT: "\(path): none of its picture formats can be read (\(doing))"
            case ENOSPC: "\(path): the USB bus has no bandwidth left for this camera; use another port"
            default: "\(path): \(doing) fails: \(String(cString: strerror(code)))"
            }
        }

        /// The name of the group that may use the device.
        private var group: String {
            var status = stat()
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { texts in
                guard stat(path, &status) == 0, status.st_gid != 0,
                    getgrgid_r(status.st_gid, &entry, texts.baseAddress, texts.count, &found) == 0, found != nil
                else { return "video" }
                return String(cString: entry.gr_name)
            }
        }

        /// Whether there is no such device at the moment.
        var isMissing: Bool { code == ENOENT || code == ENXIO || doing == Self.looking }
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
