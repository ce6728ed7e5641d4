import FaceGeometry
import Files
import JSON
import Masking

extension PhotoOutcome {
    /// The line of `--report`; `docs/report.md` describes it.
    var json: JSONValue {
        var members = input.jsonMembers("path")
        if let output { members += output.jsonMembers("output") } else { members.append(.init("output", .null)) }
        members.append(.init("status", .string(status.rawValue)))
        if let width, let height {
            members.append(.init("width", .integer(width)))
            members.append(.init("height", .integer(height)))
            members.append(.init("faces", .array(faces.map(\.json))))
        }
        let stages = zip(PhotoTimes.names, times.milliseconds).map { name, milliseconds in
            JSONValue.Member(name, .number((milliseconds * 1000).rounded() / 1000))
        }
        members.append(.init("milliseconds", .object(stages)))
        if let error { members.append(.init("error", .string(error))) }
        return .object(members)
    }
}

extension FilePath {
    /// A path as text; if it is not UTF-8, which JSON requires, its bytes as well, percent-encoded (RFC 3986).
    func jsonMembers(_ key: String) -> [JSONValue.Member] {
        if let string { return [.init(key, .string(string))] }
        return [
            .init(key, .string(String(decoding: bytes, as: UTF8.self))), .init(key + "Bytes", .string(percentEncoded)),
        ]
    }

    private var percentEncoded: String {
        bytes.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            if isUnreserved { return String(scalar) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension Face {
    fileprivate var json: JSONValue {
        let confidence = detectorScore.map { JSONValue.number(($0 * 1000).rounded() / 1000) } ?? .null
        return .object([.init("box", jsonBox), .init("confidence", confidence)] + jsonGeometry)
    }
}
