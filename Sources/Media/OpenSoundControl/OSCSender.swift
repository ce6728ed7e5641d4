import COSC
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
    private var bundle: OpaquePointer?
    private var failure: String?

    package init(_ receiver: OSCReceiver) { self.receiver = receiver }

    deinit { if let bundle { cosc_bundle_free(bundle) } }

    /// Adds a message to the bundle. If the bundle gets too long for one packet, what is in it is sent before.
    /// - Parameter path: OSC's address of the message, such as `/bauta/faces`.
    package func add(_ path: String, _ arguments: Argument...) { add(path, arguments) }

    package func add(_ path: String, _ arguments: [Argument]) {
        guard let message = cosc_message_new() else { return }
        let isWhole = arguments.allSatisfy { argument in
            switch argument {
            case .integer(let value): cosc_message_add_integer(message, Int32(clamping: value))
            case .float(let value): cosc_message_add_float(message, value.isFinite ? value : 0)
            case .string(let text): cosc_message_add_string(message, text)
            }
        }
        guard isWhole else { return cosc_message_free(message) }
        if let bundle, cosc_bundle_length(bundle, path, message) > Self.largestBundle { send() }
        bundle = bundle ?? cosc_bundle_new()
        guard let bundle else { return cosc_message_free(message) }
        _ = cosc_bundle_add(bundle, path, message)
    }

    /// Sends what has been added.
    package func send() {
        guard let bundle else { return }
        defer {
            cosc_bundle_free(bundle)
            self.bundle = nil
        }
        var size = 0
        guard let bytes = cosc_bundle_bytes(bundle, &size) else { return }
        defer { free(bytes) }
        func transmit() -> Int {
            Glibc.send(receiver.descriptor, bytes, size, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        var sent = transmit()
        if sent < 0, errno == ECONNREFUSED {
            // That is what became of an earlier bundle.
            failure = systemErrorText()
            sent = transmit()
        }
        if sent < 0, errno != EAGAIN { failure = systemErrorText() }
    }

    /// What has gone wrong since the last call; nil: nothing is known to have.
    package func takeFailure() -> String? {
        defer { failure = nil }
        return failure
    }
}
