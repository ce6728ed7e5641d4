import Files
import JSON

extension FilePath {
    /// A path as text; if it is not UTF-8, which JSON requires, its bytes as well, percent-encoded (RFC 3986).
    package func jsonMembers(_ key: String) -> [JSONValue.Member] {
        if let string { return [.init(key, .string(string))] }
        return [
            .init(key, .string(String(decoding: bytes, as: UTF8.self))), .init(key + "Bytes", .string(percentEncoded)),
        ]
    }

    /// The bytes as a part of a URL (RFC 3986); slashes stay.
    package var percentEncoded: String {
        bytes.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            if isUnreserved { return String(scalar) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Reads what `jsonMembers` wrote into an object; nil if it is not there.
    package init?(_ object: JSONValue, key: String) {
        if case .string(let encoded)? = object[key + "Bytes"] {
            guard let bytes = Self.bytes(percentEncoded: encoded) else { return nil }
            self.init(bytes: bytes)
        } else if case .string(let text)? = object[key] {
            self.init(text)
        } else {
            return nil
        }
    }

    private static func bytes(percentEncoded text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else {
                bytes.append(first)
                continue
            }
            guard rest.count >= 2, let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
            rest.removeFirst(2)
        }
        return bytes
    }
}
