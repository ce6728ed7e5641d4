/// Recognises pictures that are written as text: base64 (RFC 4648) or hexadecimal digits, as previews in metadata are.
enum HiddenPicture {
    /// The smallest JPEG that shows anything has about 500 bytes.
    private static let leastDigits = 512
    /// Encoders break lines after 64 or more digits; words and numbers are shorter.
    private static let leastRun = 60

    /// Whether a text has at least 512 digits in runs of 60 and more.
    static func mayBe(in text: some Sequence<UInt8>) -> Bool {
        var (run, digits) = (0, 0)
        for byte in text {
            if isDigit(byte) {
                run += 1
                continue
            }
            if run >= leastRun { digits += run }
            run = 0
        }
        if run >= leastRun { digits += run }
        return digits >= leastDigits
    }

    /// Whether a byte is a digit of base64 in either alphabet; hexadecimal digits are among them.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="): true
        default: false
        }
    }
}
