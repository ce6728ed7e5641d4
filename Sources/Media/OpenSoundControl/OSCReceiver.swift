import Files
import Glibc

/// The receiver of messages: a socket that is connected to an address. It may be made on another thread than the
/// sending one.
package final class OSCReceiver: Sendable {
    package let address: OSCAddress
    let descriptor: Int32

    /// Looks up the host, which may take some seconds.
    package init(_ address: OSCAddress) throws(OSCError) {
        self.address = address
        descriptor = try Self.connect(address)
    }

    deinit { close(descriptor) }

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
