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

    package let address: OSCAddress
    private let descriptor: Int32
    private var bundle: OpaquePointer?
    private var failure: String?

    /// Looks up the host, which may take some seconds.
    package init(_ address: OSCAddress) throws(OSCError) {
        guard cosc_is_available() else { throw .libraryMissing }
        self.address = address
        descriptor = try Self.connect(address)
    }

    deinit {
        if let bundle { cosc_bundle_free(bundle) }
        close(descriptor)
    }

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
        func transmit() -> Int { Glibc.send(descriptor, bytes, size, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
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

    /// IPv4 comes first: on many machines localhost is an address of each kind, and most receivers listen on IPv4 alone.
    /// - Returns: a UDP socket that is connected to the first address of the host to which there is a route.
    private static func connect(_ address: OSCAddress) throws(OSCError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(address.host, "\(address.port)", &hints, &list)
        guard status == 0 else {
            let reason = status == EAI_SYSTEM ? systemErrorText() : String(cString: gai_strerror(status))
            throw .unreachable(address, reason: "the host cannot be looked up (\(reason))")
        }
        defer { freeaddrinfo(list) }
        var entries: [addrinfo] = []
        var next = list
        while let entry = next?.pointee {
            entries.append(entry)
            next = entry.ai_next
        }
        var reason = "the host has no address"
        for current in entries.filter({ $0.ai_family == AF_INET }) + entries.filter({ $0.ai_family != AF_INET }) {
            let descriptor = socket(current.ai_family, current.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            if descriptor >= 0 {
                var yes: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
                if Glibc.connect(descriptor, current.ai_addr, current.ai_addrlen) == 0 { return descriptor }
            }
            reason = systemErrorText()
            if descriptor >= 0 { close(descriptor) }
        }
        throw .unreachable(address, reason: reason)
    }
}
