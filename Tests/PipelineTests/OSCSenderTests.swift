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

    private func packet(_ socket: borrowing UDPSocket) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2000)
        let count = recv(socket.descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The first message is an example of the specification (OSC 1.0, 2002).
    @Test func bundlesFollowTheSpecification() throws {
        let receiver = try UDPSocket()
        let sender = try OSCSender(OSCReceiver(#require(OSCAddress("127.0.0.1:\(receiver.port)"))))
        sender.add("/oscillator/4/frequency", .float(440))
        sender.add("/a", .integer(-2), .string("é\0x"), .string("four"), .float(.nan), .integer(1 << 40))
        sender.send()
        var expected = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        expected += [0, 0, 0, 32] + Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0, 0]
        expected += [0, 0, 0, 36] + Array("/a\0\0,issfi\0\0".utf8) + [255, 255, 255, 254]
        expected += Array("é\0\0four\0\0\0\0".utf8) + [0, 0, 0, 0, 127, 255, 255, 255]
        #expect(packet(receiver) == expected)
        // Nothing has been added since.
        sender.send()
        sender.add("/b")
        sender.send()
        let next = Array(expected.prefix(16)) + [0, 0, 0, 8] + Array("/b\0\0,\0\0\0".utf8)
        #expect(packet(receiver) == next)
    }

    @Test func longMessagesAreSentInSeveralPackets() throws {
        let receiver = try UDPSocket()
        let sender = try OSCSender(OSCReceiver(#require(OSCAddress("127.0.0.1:\(receiver.port)"))))
        // 16 bytes of the bundle, and 64 for each message.
        for index in 0..<22 { sender.add("/face", .string(String(repeating: "x", count: 43)), .integer(index)) }
        sender.send()
        let counts = (packet(receiver).count, packet(receiver).count)
        #expect(counts.0 == 16 + 21 * 64 && counts.1 == 16 + 64)
    }
}
