/// Text from outside (of a mask, a clip, a camera, a file name) as a terminal may show it.
///
/// A terminal obeys control characters: it clears lines, changes its title, or takes what follows for input. Characters
/// that change the direction of writing make a text look like another one.
extension String {
    /// For a part of a line: what a terminal would obey, line breaks included, is written as its bytes: `\x1B`.
    package var printable: String { escaped { _ in false } }

    /// For whole messages: line breaks and tabs stay.
    package var printableLines: String { escaped { $0 == "\n" || $0 == "\t" } }

    private func escaped(unless isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { !$0.isPrintable && !isKept($0) }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isPrintable || isKept(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in UTF8.encode(scalar).map(Array.init) ?? [] { result += byte.escaped }
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal shows the character, or nothing, and does not obey it.
    package var isPrintable: Bool {
        switch value {
        case 0x20...0x7E: return true
        // Marks of direction, embeddings, overrides and isolates; line and paragraph separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return false
        default: return properties.generalCategory != .control
        }
    }
}

extension UInt8 {
    /// As messages show a byte that cannot be printed.
    var escaped: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
