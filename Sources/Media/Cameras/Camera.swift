import CCamera
import Glibc
import PipeWire

/// A camera of Video4Linux2, or one of PipeWire, through which libcamera's come.
package struct Camera: Sendable {
    /// The device: "/dev/video0"; or "pipewire:" and the name of PipeWire's node.
    package let path: String
    /// The name that the driver or PipeWire gives.
    package let name: String
    package let modes: [Mode]
    /// PipeWire's have none.
    package let controls: [Control]
    /// Nil: it is one of Video4Linux2.
    let source: PipeWireSource?

    /// What the paths of PipeWire's cameras begin with.
    package static let pipeWirePrefix = "pipewire:"

    /// All cameras that can be opened: the devices in the order of their numbers, then those that only PipeWire has.
    package static func all() -> [Camera] {
        let devices = devices()
        return devices + ofPipeWire(without: devices)
    }

    /// The cameras of Video4Linux2 that can be opened.
    static func devices() -> [Camera] {
        (0..<64).compactMap { number in try? Camera(path: "/dev/video\(number)") }
    }

    /// Why devices that are there cannot be opened. Devices that are no cameras are left out.
    package static func failures() -> [Failure] {
        (0..<64).compactMap { number in
            guard access("/dev/video\(number)", F_OK) == 0 else { return nil }
            do throws(Failure) {
                _ = try Camera(path: "/dev/video\(number)")
                return nil
            } catch {
                return error.code == ENOTTY ? nil : error
            }
        }
    }

    /// Those of PipeWire; none where it does not run. It shows most devices, too: the ones that are open to this program are
    /// left out.
    static func ofPipeWire(without devices: [Camera]) -> [Camera] {
        PipeWireSource.ofSession().filter { source in !devices.contains { $0.path == source.device } }.map {
            Camera($0)
        }
    }

    private init(_ source: PipeWireSource) {
        path = Self.pipeWirePrefix + source.name
        name = source.title
        modes = source.modes.map {
            Mode(format: .init(pipeWire: $0.format), width: $0.width, height: $0.height, rate: $0.rate)
        }
        controls = []
        self.source = source
    }

    /// Reads what a device can do, without starting it.
    package init(path: String) throws(Failure) {
        var error = ccamera_error()
        guard let handle = ccamera_open(path, &error) else {
            throw Failure(path: path, error)
        }
        defer { ccamera_close(handle) }
        self.path = path
        source = nil
        name = String(cString: ccamera_name(handle))
        var modes = [ccamera_mode](repeating: ccamera_mode(), count: 512)
        let modeCount = ccamera_modes(handle, &modes, Int32(modes.count))
        self.modes = modes.prefix(Int(modeCount)).map { Mode($0) }
        var controls = [ccamera_control](repeating: ccamera_control(), count: 128)
        let controlCount = ccamera_controls(handle, &controls, Int32(controls.count))
        self.controls = controls.prefix(Int(controlCount)).map { Control($0) }
    }

    /// The name of the device that Bauta writes to where PipeWire does not run (`LoopbackModule`).
    private static let ownName = "Bauta"

    /// Finds a camera.
    /// - Parameter wanted: its device number, its path or a part of its name, in any case; nil: the first with a
    ///   readable format. After "pipewire:", a part of the node's or the camera's name is enough.
    /// - Returns: the first that fits.
    package static func find(_ wanted: String?, among cameras: [Camera]) -> Camera? {
        // Nobody wants Bauta's own picture masked once more: with it, a lost camera would not be looked for any longer.
        guard let wanted else {
            return cameras.first {
                $0.name != ownName && $0.bestMode(width: 1280, height: 720, rate: 30) != nil
            }
        }
        return index(of: wanted, among: cameras.map { ($0.path, $0.name) }).map { cameras[$0] }
    }

    /// The same with the paths and names of cameras.
    package static func index(of wanted: String, among cameras: [(path: String, name: String)]) -> Int? {
        if let number = Int(wanted) { return cameras.firstIndex { $0.path == "/dev/video\(number)" } }
        if let exact = cameras.firstIndex(where: { $0.path == wanted }) { return exact }
        guard wanted.hasPrefix(pipeWirePrefix) else {
            return cameras.firstIndex { $0.name.lowercased().contains(wanted.lowercased()) }
        }
        let part = wanted.dropFirst(pipeWirePrefix.count).lowercased()
        return cameras.firstIndex {
            $0.path.hasPrefix(pipeWirePrefix)
                && (part.isEmpty || $0.path.dropFirst(pipeWirePrefix.count).lowercased().contains(part)
                    || $0.name.lowercased().contains(part))
        }
    }
}
