import Files

extension FilePath {
    /// The path as a word of a command line that bash and zsh read: in quotation marks where it needs them. One that begins like an
    /// option is written as a path.
    var shellWord: String {
        let path = bytes.first == UInt8(ascii: "-") ? "./" / self : self
        let isPlain = path.bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+,:@%".utf8.contains(byte)
        }
        if isPlain, !path.isEmpty { return path.description }
        if let text = path.string, text.unicodeScalars.allSatisfy(\.isPrintable) {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        let hexadecimal = Array("0123456789abcdef")
        return "$'"
            + path.bytes.map { byte in
                let isShown = (0x20..<0x7F).contains(byte) && byte != 0x27 && byte != 0x5C
                return isShown
                    ? String(UnicodeScalar(byte)) : "\\x\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])"
            }.joined() + "'"
    }
}
