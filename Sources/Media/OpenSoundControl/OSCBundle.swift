/// A bundle of Open Sound Control 1.0, to be performed at once: the marker `#bundle`, a time, and messages, each behind
/// its size. Numbers are big-endian with 32 bits; a text ends with one to four zero bytes, so that each part is as long as a multiple of
/// four bytes.
struct OSCBundle {
    private(set) var bytes: [UInt8]
    private(set) var isEmpty = true

    init() {
        // The time 1 means "at once".
        bytes = Self.text("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1]
    }

    mutating func append(_ message: [UInt8]) {
        bytes += Self.number(Int32(message.count)) + message
        isEmpty = false
    }

    /// How many bytes the bundle has with another message.
    func count(with message: [UInt8]) -> Int { bytes.count + 4 + message.count }

    /// - Parameter path: the message's address, such as `/bauta/faces`.
    static func message(_ path: String, _ arguments: [OSCSender.Argument]) -> [UInt8] {
        var (types, values): (String, [UInt8]) = (",", [])
        for argument in arguments {
            switch argument {
            case .integer(let value):
                types += "i"
                values += number(Int32(clamping: value))
            case .float(let value):
                types += "f"
                values += number(Int32(bitPattern: (value.isFinite ? value : 0).bitPattern))
            case .string(let value):
                types += "s"
                values += text(value)
            }
        }
        return text(path) + text(types) + values
    }

    private static func number(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    /// A zero byte ends a text, also one within it.
    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix { $0 != 0 })
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
}
