import Files
import Glibc

/// Sends messages of Open Sound Control 1.0 in bundles by UDP. It never waits for the network: what cannot be sent at once
/// is lost, as UDP may lose any message.
package final class OSCSender {
    package enum Argument: Equatable, Sendable {
        case integer(Int)
        case float(Float)
        case string(String)
    }

    /// The bytes of a bundle that fit into one packet of an Ethernet, with room for the headers of IPv6 and UDP.
    private static let largestBundle = 1400

    package var address: OSCAddress { receiver.address }
    private let receiver: OSCReceiver
    private var bundle = OSCBundle()
    private var failure: String?

    package init(_ receiver: OSCReceiver) { self.receiver = receiver }

    /// Adds a message to the bundle. If the bundle gets too long for one packet, what is in it is sent before.
    /// - Parameter path: OSC's address of the message, such as `/bauta/faces`.
    package func add(_ path: String, _ arguments: Argument...) { add(path, arguments) }

    package func add(_ path: String, _ arguments: [Argument]) {
        let message = OSCBundle.message(path, arguments)
        if !bundle.isEmpty, bundle.count(with: message) > Self.largestBundle { send() }
        bundle.append(message)
    }

    /// Sends what has been added.
    package func send() {
        guard !bundle.isEmpty else { return }
        let bytes = bundle.bytes
        bundle = OSCBundle()
        func transmit() -> Int {
            Glibc.send(receiver.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        var sent = transmit()
        if sent < 0, errno == ECONNREFUSED {
            // That is what became of an earlier bundle.
            failure = systemErrorText()
            sent = transmit()
        }
        if sent < 0, errno != EAGAIN { failure = systemErrorText() }
    }

    /// The failure since the last call; nil: none is known.
    package func takeFailure() -> String? {
        defer { failure = nil }
        return failure
    }
}
