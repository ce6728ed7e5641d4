/// Bytes as text (RFC 4648, section 4), as JSON carries them.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            var number = 0
            for index in start..<start + 3 { number = number << 8 | (index < bytes.count ? Int(bytes[index]) : 0) }
            for index in 0..<4 {
                result.append(
                    start + index <= bytes.count ? letters[number >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// - Parameter text: ASCII, without spaces and line breaks.
    /// - Returns: nil if the text is not in that notation.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var (bits, count, padding) = (UInt32(0), 0, 0)
        for character in text {
            guard character != UInt8(ascii: "=") else {
                padding += 1
                continue
            }
            let value = values[Int(character)]
            guard padding == 0, value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift: UInt32 in [16, 8, 0] { result.append(UInt8(truncatingIfNeeded: bits >> shift)) }
            }
        }
        switch (count % 4, padding) {
        case (0, 0): break
        case (2, 2): result.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1):
            result.append(UInt8(truncatingIfNeeded: bits >> 10))
            result.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return result
    }
}
