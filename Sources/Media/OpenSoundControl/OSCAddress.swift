/// Where messages of Open Sound Control are sent to: a host and a UDP port.
package struct OSCAddress: Equatable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    package let host: String
    package let port: UInt16

    /// Reads `HOST:PORT`, with an IPv6 address in brackets: `127.0.0.1:39539`, `studio.local:9000`, `[::1]:9000`.
    /// - Returns: nil if the text is none.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = text[text.utf8.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard isBracketed == host.utf8.contains(UInt8(ascii: ":")) else { return nil }
        // Neither spaces nor control characters.
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        self.host = String(host)
        self.port = port
    }

    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
