import Files

/// What is shown in place of what is behind people.
package enum BackgroundChoice: Equatable, Sendable {
    /// The same, blurred.
    case blur
    /// sRGB.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Cropped to the proportions of the frame.
    case picture(FilePath)

    /// - Parameter text: "blur", a colour as "#00ff00", or the path of a picture.
    package init?(_ text: FilePath) {
        if text == "blur" {
            self = .blur
        } else if text.bytes.first == UInt8(ascii: "#") {
            let digits = String(decoding: text.bytes.dropFirst(), as: UTF8.self)
            // A sign would be read, too.
            guard digits.utf8.count == 6, digits.first?.isHexDigit == true, let value = UInt32(digits, radix: 16)
            else { return nil }
            self = .color(
                red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        } else {
            if text.isEmpty { return nil }
            self = .picture(text)
        }
    }

    package static let requirement = "blur, a colour such as #00ff00, or a picture"
}
