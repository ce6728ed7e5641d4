import Foundation

/// A UDP socket at a free port of this machine.
package struct UDPSocket: ~Copyable {
    private struct Failed: Error {}

    package let descriptor: Int32
    package let port: Int

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0 else { throw Failed() }
    }

    deinit { close(descriptor) }
}
