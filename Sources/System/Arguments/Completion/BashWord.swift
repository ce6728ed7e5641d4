/// Words as bash has them while they are completed: as they were typed, with backslashes and quotes, of which the last may
/// be open.
package enum BashWord {
    /// The word without its quoting. Variables and commands in it are left as they are.
    package static func unquoted(_ typed: String) -> String {
        var plain = ""
        var quote: Character?
        var rest = typed[...]
        while let character = rest.popFirst() {
            switch (quote, character) {
            case (nil, "'"), (nil, "\""): quote = character
            case ("'"?, "'"), ("\""?, "\""): quote = nil
            case (nil, "\\"):
                if let next = rest.popFirst() { plain.append(next) }
            case ("\""?, "\\"):
                // Within double quotes, only these are quoted by it.
                if let next = rest.first, "\"\\$`".contains(next) {
                    plain.append(next)
                    rest.removeFirst()
                } else {
                    plain.append(character)
                }
            default: plain.append(character)
            }
        }
        return plain
    }
}
