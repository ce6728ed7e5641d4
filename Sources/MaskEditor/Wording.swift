/// A key or value of `mask.json` in words: "upperLip" is "Upper lip", "soft-light" "Soft light". What names a person stays
/// as it is.
func wording(_ identifier: String) -> String {
    guard !identifier.contains(":") else { return identifier }
    var words = ""
    for character in identifier {
        if character == "-" {
            words += " "
        } else if character.isUppercase, !words.isEmpty {
            words += " " + character.lowercased()
        } else {
            words.append(character)
        }
    }
    return words.prefix(1).uppercased() + words.dropFirst()
}
