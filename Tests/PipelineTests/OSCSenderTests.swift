import Foundation
import OpenSoundControl
import TestSupport
import Testing

@Suite struct OSCSenderTests {
    /// The socket from which messages are sent takes nothing from anybody but the receiver: the kernel refuses it.
    @Test func othersDoNotReachTheSender() throws {
        let receiver = try UDPSocket()
        let stranger = try UDPSocket()
        let sender = try OSCSender(OSCReceiver(#require(OSCAddress("127.0.0.1:\(receiver.port)"))))
        sender.add("/test", .integer(1))
        sender.send()
        var from = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bytes = [UInt8](repeating: 0, count: 1500)
        let (count, status) = withUnsafeMutablePointer(to: &from) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                (
                    recvfrom(receiver.descriptor, &bytes, bytes.count, 0, address, &size),
                    connect(stranger.descriptor, address, size)
                )
            }
        }
        #expect(count > 0 && status == 0 && bytes.starts(with: Array("#bundle".utf8)))
        #expect(send(stranger.descriptor, bytes, 8, 0) == 8)
        var answer = pollfd(fd: stranger.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&answer, 1, 10_000) == 1)
        #expect(recv(stranger.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == -1 && errno == ECONNREFUSED)
        withExtendedLifetime(sender) {}
    }
}
