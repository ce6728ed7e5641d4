import Arguments
import OpenSoundControl
import TrackOutput

/// The options of commands that send faces to other programs.
enum SignalOptions {
    static let address = Option<OSCAddress?>(
        "osc", value: "host:port", absent: nil,
        help: "Send pose and expression of the faces by OSC."
    ) { (text) throws(InvalidValue) in
        guard let address = OSCAddress(text) else {
            throw InvalidValue("must be a host and a port, such as 127.0.0.1:39539 or [::1]:9000")
        }
        return address
    }.details(
        """
        Send pose and expression of the faces as Open Sound Control messages by UDP, for avatars (VMC protocol) and \
        lights. docs/reference/osc.md describes them.
        """)
    static let expressions = Option<AvatarExpressions>(
        "osc-expressions", default: .vrm,
        help: "The avatar's names for expressions: VRM's presets, or the measurable ones of ARKit.")

    static let all: [any CommandOption] = [address, expressions]

    /// Nil: nothing is to be sent.
    /// - Throws: `UsageError` if names are given without an address.
    static func settings(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> (address: OSCAddress, expressions: AvatarExpressions)? {
        guard let address = arguments[Self.address] else {
            if arguments.has(expressions) { throw arguments.invalid(expressions, "needs --osc") }
            return nil
        }
        return (address, arguments[expressions])
    }
}
