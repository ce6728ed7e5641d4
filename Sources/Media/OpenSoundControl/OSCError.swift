/// Why messages of Open Sound Control cannot be sent.
package enum OSCError: Error, Equatable, CustomStringConvertible {
    /// The address, and why there is no way to it.
    case unreachable(OSCAddress, reason: String)

    package var description: String {
        switch self {
        case .unreachable(let address, let reason): "\(address): cannot send messages: \(reason)"
        }
    }
}
