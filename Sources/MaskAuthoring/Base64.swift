/// Bytes in texts (RFC 4648, section 4).
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

    /// - Returns: nil if the text is not such a text.
    package static func bytes(_ text: String) -> [UInt8]? {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
        digits.removeLast(padding)
        guard digits.allSatisfy({ values[Int($0)] != 0xFF }) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 4 * 3 + 2)
        for start in stride(from: 0, to: digits.count, by: 4) {
            var number = 0
            for index in start..<start + 4 {
                number = number << 6 | (index < digits.count ? Int(values[Int(digits[index])]) : 0)
            }
            let count = min(4, digits.count - start) - 1
            for index in 0..<count { result.append(UInt8(truncatingIfNeeded: number >> (16 - 8 * index))) }
        }
        return result
    }
}
