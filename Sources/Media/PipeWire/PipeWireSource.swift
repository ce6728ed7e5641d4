import CPipeWire

/// A camera that PipeWire offers: a node of the class `Video/Source` and the role `Camera`.
package struct PipeWireSource: Sendable {
    /// A format of its frames with a size and a rate.
    package struct Mode: Equatable, Sendable {
        /// `V4L2_PIX_FMT_…`: four letters, the first in the lowest byte; one that can be read.
        package let format: UInt32
        /// In pixels.
        package let width, height: Int
        /// Frames per second; 0: unknown.
        package let rate: Double

        package init(format: UInt32, width: Int, height: Int, rate: Double) {
            (self.format, self.width, self.height, self.rate) = (format, width, height, rate)
        }
    }

    /// The number that no other object of this server ever has.
    let serial: UInt64
    /// Where it was found: the path of a socket; nil: that of the session.
    let socket: String?
    /// The name that stays the same when it is plugged in again.
    package let name: String
    /// The name for the user.
    package let title: String
    /// The device of Video4Linux2 behind it: "/dev/video0"; nil: none.
    package let device: String?
    /// Those that can be read, in the camera's order.
    package let modes: [Mode]

    /// The cameras that are there, except those of Bauta itself. It waits up to a second for PipeWire.
    /// - Parameter socket: the path of PipeWire's socket; nil: that of the session.
    /// - Throws: `PipeWireError` if the library or its session is not there.
    package static func all(socket: String? = nil) throws(PipeWireError) -> [PipeWireSource] {
        guard cpipewire_is_available() else { throw .noLibrary }
        var error: Int32 = 0
        guard let nodes = cpipewire_nodes_new(socket, &error) else { throw PipeWireError(error) }
        defer { cpipewire_nodes_free(nodes) }
        return (0..<cpipewire_nodes_count(nodes)).compactMap { PipeWireSource(cpipewire_node_at(nodes, $0), socket) }
            .filter { $0.name != PipeWireCamera.name }
    }

    /// The cameras of the session. A program in a sandbox, which cannot reach PipeWire, gets them from the desktop's portal once
    /// the user permits it; until then there are none.
    package static func ofSession() -> [PipeWireSource] {
        let direct = (try? all()) ?? []
        guard direct.isEmpty, CameraPortal.isNeeded, CameraPortal.isPermitted() else { return direct }
        return (try? all(socket: CPIPEWIRE_PORTAL)) ?? []
    }
}

extension PipeWireSource {
    /// - Returns: nil if it is gone, or has no name.
    private init?(_ node: cpipewire_node, _ socket: String?) {
        guard node.serial != 0, let name = node.name else { return nil }
        serial = node.serial
        self.socket = socket
        self.name = String(cString: name)
        title = String(cString: node.title ?? name)
        device = node.device.map { String(cString: $0) }
        modes = UnsafeBufferPointer(start: node.modes, count: Int(node.mode_count)).map {
            Mode(format: $0.format, width: Int($0.width), height: Int($0.height), rate: $0.rate)
        }
    }
}
