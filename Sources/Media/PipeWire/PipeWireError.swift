import Glibc
import Machine

/// Why there is no camera through PipeWire. Its description is about the virtual one.
package enum PipeWireError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The library is not installed.
    case noLibrary
    /// PipeWire does not run in this session.
    case notRunning
    /// PipeWire runs, but does not answer: the system's words.
    case refused(String)
    /// The width and height of frames, in pixels: no camera has them.
    case size(Int, Int)
    /// There is no memory or no thread.
    case noMemory

    /// - Parameter code: the system's number of the error.
    init(_ code: Int32) {
        switch code {
        case ENOENT, EHOSTDOWN, ECONNREFUSED, ECONNRESET, EPIPE: self = .notRunning
        case ENOMEM: self = .noMemory
        default: self = .refused(String(cString: strerror(code)))
        }
    }

    /// The end of a sentence.
    package var reason: String {
        switch self {
        case .noLibrary: "PipeWire is not installed"
        case .notRunning: "PipeWire does not run in this session"
        case .refused(let reason): "PipeWire cannot be reached: \(reason)"
        case .size(let width, let height):
            "frames of \(width) × \(height) pixels are not possible; possible are 2 to 16,384 on each side"
        case .noMemory: "there is no memory or no thread for it"
        }
    }

    /// The command that helps; nil: none is known.
    package var remedy: String? {
        switch self {
        case .noLibrary: SystemRelease.current.remedy(.pipeWire)
        case .notRunning: "systemctl --user start pipewire wireplumber"
        case .refused, .size, .noMemory: nil
        }
    }

    package var description: String {
        "there is no virtual camera, because \(reason)" + (remedy.map { "; to change that: \($0)" } ?? "")
            + "; 'bauta camera virtual --create' makes one without PipeWire"
    }
}
