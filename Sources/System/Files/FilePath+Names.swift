extension FilePath {
    /// Whether one part of a path is a name that every system can have and that is seen: UTF-8 of up to 200 bytes without
    /// control characters and `\:*?"<>|`, which does not end with a space or a dot, does not begin with a mark that joins
    /// with the slash before it, and is no device of Windows (`CON`, `nul.txt`).
    package var isPortableName: Bool {
        guard let scalars = string?.unicodeScalars, let first = scalars.first, let last = scalars.last else {
            return false
        }
        let isWhole = parts.count == 1 && self != "." && self != ".." && bytes.count <= 200
        let isSeen = !Self.joins(first) && last != " " && last != "."
        return isWhole && isSeen && !isDevice
            && scalars.allSatisfy { $0.isPrintable && !"\\:*?\"<>|".unicodeScalars.contains($0) }
    }

    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: scalar.properties.isVariationSelector
        }
    }

    /// Windows takes these names for devices, in any case and with any extension.
    private var isDevice: Bool {
        let stem = String(decoding: bytes.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self).uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.count == 4 && ["COM", "LPT"].contains(stem.prefix(3)) && stem.last?.isWholeNumber == true
    }
}
