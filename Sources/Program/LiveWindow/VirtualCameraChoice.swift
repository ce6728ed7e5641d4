import Clips
import Files
import PipeWire

/// A virtual camera that frames are written to.
package enum VirtualCameraChoice: Equatable, Sendable {
    /// PipeWire where it runs, or else the first device.
    case auto
    case pipeWire
    /// A device of v4l2loopback.
    case device(FilePath)

    /// - Parameter text: "auto", "pipewire" or the path of a device.
    package init(_ text: FilePath) {
        self =
            switch text {
            case "auto": .auto
            case "pipewire": .pipeWire
            default: .device(text)
            }
    }

    /// What names it again; nil for a path that is no text.
    package var text: String? {
        switch self {
        case .auto: "auto"
        case .pipeWire: "pipewire"
        case .device(let path): path.string
        }
    }

    /// The same choice without `auto`.
    /// - Throws: `PipeWireError` or `ClipError` if there is no such virtual camera.
    func checked() throws -> VirtualCameraChoice {
        switch self {
        case .device(let path): try VirtualCamera.check(path)
        case .pipeWire: try PipeWireCamera.check()
        case .auto:
            do throws(PipeWireError) {
                try PipeWireCamera.check()
                return .pipeWire
            } catch {
                guard let device = VirtualCamera.all().first else { throw error }
                return .device(FilePath(device.path))
            }
        }
        return self
    }
}
