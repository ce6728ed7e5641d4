import CCodecs

/// A text of a PNG file (ISO/IEC 15948, 11.3.3): `tEXt`, `zTXt` or `iTXt`, decompressed.
struct PNGText {
    let keyword: String
    /// Latin-1, of `iTXt` UTF-8.
    let text: [UInt8]

    static let xmpKeyword = "XML:com.adobe.xmp"

    /// - Parameter limit: texts with more bytes are refused.
    /// - Returns: nil when the chunk cannot be parsed or decompressed, or the text is too large.
    init?(type: String, data: [UInt8], limit: Int) {
        guard let end = data.firstIndex(of: 0) else { return nil }
        keyword = String(decoding: data[..<end], as: UTF8.self)
        let rest = data[(end + 1)...]
        switch type {
        case "tEXt":
            text = Array(rest)
        case "zTXt":
            // Compression method, text.
            guard rest.first == 0, let inflated = Self.inflated(Array(rest.dropFirst()), limit) else { return nil }
            text = inflated
        case "iTXt":
            // Compression flag and method, language, translated keyword, text.
            let parts = rest.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard rest.count >= 2, parts.count == 3 else { return nil }
            guard rest[rest.startIndex] != 0 else {
                text = Array(parts[2])
                break
            }
            guard rest[rest.startIndex + 1] == 0, let inflated = Self.inflated(Array(parts[2]), limit) else {
                return nil
            }
            text = inflated
        default:
            return nil
        }
        if text.count > limit { return nil }
    }

    private static func inflated(_ bytes: [UInt8], _ limit: Int) -> [UInt8]? {
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        guard ccodecs_inflate(bytes, bytes.count, limit, &buffer, &size), let buffer else { return nil }
        defer { ccodecs_free(buffer) }
        return Array(UnsafeBufferPointer(start: buffer, count: size))
    }
}

/// A metadata block as hexadecimal digits in a text "Raw profile type …", as ImageMagick and others write it: a line
/// break, the type, a line break, the number of bytes in decimal, a line break, the digits in lines.
enum RawProfile {
    private static let prefix = "Raw profile type "

    /// The type that a keyword names, in lower case; nil when it names none.
    static func type(keyword: String) -> String? {
        keyword.hasPrefix(prefix) ? keyword.dropFirst(prefix.count).lowercased() : nil
    }

    /// - Returns: nil when the text is not of this form.
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard lines.count >= 2, let count = Int(String(decoding: lines[1].filter { $0 != 0x20 }, as: UTF8.self))
        else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for line in lines[2...] {
            for character in line where character != UInt8(ascii: " ") && character != UInt8(ascii: "\r") {
                guard let digit = value(ofDigit: character) else { return nil }
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            }
        }
        return high == nil && bytes.count == count ? bytes : nil
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A `tEXt` chunk.
    static func chunk(type: String, bytes: [UInt8]) -> PNGChunk {
        let digits = Array("0123456789abcdef".utf8)
        var data = Array("\(prefix)\(type)\0\n\(type)\n\(bytes.count)".utf8)
        for (index, byte) in bytes.enumerated() {
            if index % 36 == 0 { data.append(UInt8(ascii: "\n")) }
            data += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return PNGChunk(type: "tEXt", data: data + [UInt8(ascii: "\n")])
    }
}
