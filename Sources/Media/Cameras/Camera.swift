import CCamera
import Glibc

/// A camera of Video4Linux2.
package struct Camera: Sendable {
    /// The device: "/dev/video0".
    package let path: String
    /// The name that the driver gives.
    package let name: String
    package let modes: [Mode]
    package let controls: [Control]

    /// All cameras that can be opened, in the order of their device numbers.
    package static func all() -> [Camera] {
        (0..<64).compactMap { number in try? Camera(path: "/dev/video\(number)") }
    }

    /// Reads what a camera can do, without starting it.
    package init(path: String) throws(Failure) {
        var error = ccamera_error()
        guard let handle = ccamera_open(path, &error) else {
            throw Failure(path: path, error)
        }
        defer { ccamera_close(handle) }
        self.path = path
        name = String(cString: ccamera_name(handle))
        var modes = [ccamera_mode](repeating: ccamera_mode(), count: 512)
        let modeCount = ccamera_modes(handle, &modes, Int32(modes.count))
        self.modes = modes.prefix(Int(modeCount)).map { Mode($0) }
        var controls = [ccamera_control](repeating: ccamera_control(), count: 128)
        let controlCount = ccamera_controls(handle, &controls, Int32(controls.count))
        self.controls = controls.prefix(Int(controlCount)).map { Control($0) }
    }

    /// Finds a camera.
    /// - Parameter wanted: its device number, its path or a part of its name, in any case; nil: the first with a
    ///   readable format.
    /// - Returns: the first that fits.
    package static func find(_ wanted: String?, among cameras: [Camera]) -> Camera? {
        guard let wanted else { return cameras.first { $0.bestMode(width: 1280, height: 720, rate: 30) != nil } }
        if let number = Int(wanted) { return cameras.first { $0.path == "/dev/video\(number)" } }
        return cameras.first { $0.path == wanted }
            ?? cameras.first { $0.name.lowercased().contains(wanted.lowercased()) }
    }
}
