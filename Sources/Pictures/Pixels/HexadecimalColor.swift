extension SIMD3<UInt8> {
    /// A colour of sRGB from "#" and six hexadecimal digits; nil of any other text.
    package init?(hexadecimalColor text: some StringProtocol) {
        let digits = text.utf8.dropFirst().compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else { return nil }
        self.init(
            UInt8(16 * digits[0] + digits[1]), UInt8(16 * digits[2] + digits[3]), UInt8(16 * digits[4] + digits[5]))
    }
}
