import Foundation
import OpenSoundControl
import Testing

@Suite struct OSCSenderTests {
    private struct Failed: Error {}

    /// A UDP socket at a free port of this machine.
    private func makeSocket() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        guard status == 0 else { throw Failed() }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The socket from which messages are sent takes nothing from anybody but the receiver: the kernel refuses it.
    @Test func othersDoNotReachTheSender() throws {
        let (receiver, port) = try makeSocket()
        let (stranger, _) = try makeSocket()
        defer { for descriptor in [receiver, stranger] { close(descriptor) } }
        let sender = try OSCSender(#require(OSCAddress("127.0.0.1:\(port)")))
        sender.add("/test", .integer(1))
        sender.send()
        var from = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bytes = [UInt8](repeating: 0, count: 1500)
        let (count, status) = withUnsafeMutablePointer(to: &from) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                (recvfrom(receiver, &bytes, bytes.count, 0, address, &size), connect(stranger, address, size))
            }
        }
        #expect(count > 0 && status == 0 && bytes.starts(with: Array("#bundle".utf8)))
        #expect(send(stranger, bytes, 8, 0) == 8)
        var answer = pollfd(fd: stranger, events: Int16(POLLIN), revents: 0)
        #expect(poll(&answer, 1, 10_000) == 1)
        #expect(recv(stranger, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == -1 && errno == ECONNREFUSED)
        withExtendedLifetime(sender) {}
    }
}
