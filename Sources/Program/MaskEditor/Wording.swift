/// The effect of a control whose name does not explain it; by the key in `mask.json`.
let explanations = [
    "feather": "How wide the edge of the picture fades out, in face widths",
    "depth": "How far the sticker is in front of the face, in face widths; negative: behind it, as for ears and hats",
    "center": "The point of the picture that lies on the anchor; 0.5, 0.5 is its centre",
    "offset":
        "How far the sticker is from its anchor, to the right and down, in face widths. You can also drag it on the face",
    "levels": "Of brightness",
    "lines": "How much becomes ink",
    "width": "In face widths",
    "shadow": "How dark its shadow on the face is",
]

/// Likewise of the keys of `light`.
let lightExplanations = [
    "shading": "How much of the light and shade on the face the layer takes on",
    "detail": "How much of the skin's fine structure shows: wrinkles and stubble, but brows and thin glasses, too",
    "color": "How much the layer's colours follow those of the skin",
]

private let others = ["color": "Colour", "center": "Centre", "makeup": "Make-up", "hair": "Hair dye"]

/// A key or value of `mask.json` in British words: "upperLip" is "Upper lip", "soft-light" "Soft light", "color" "Colour".
/// What names a person stays as it is.
func wording(_ identifier: String) -> String {
    if let word = others[identifier] { return word }
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

/// The numbers that tell rows of the same text apart, counted from the last row: that of the lowest layer.
package func numbers(ofEqual texts: [String]) -> [Int] {
    var counts: [String: Int] = [:]
    return texts.reversed().map { text in
        counts[text, default: 0] += 1
        return counts[text] ?? 1
    }.reversed()
}

/// A reason as a sentence by itself.
func sentence(_ reason: String) -> String { "\(reason.prefix(1).uppercased() + reason.dropFirst())." }

/// A problem of a mask, as a sentence that names the layer.
/// - Parameter pointer: to the place in `mask.json`; nil: the whole mask.
func sentence(_ reason: String, at pointer: String?) -> String {
    let keys = (pointer ?? "").split(separator: "/").map(String.init)
    let text: String = reason.prefix(1).uppercased() + reason.dropFirst()
    guard keys.first == "layers", keys.count > 1, let number = Int(keys[1]) else {
        // A reason such as "no author is given" names what it concerns.
        return keys.isEmpty || reason.hasPrefix("no ") ? text : (keys.map(wording) + [reason]).joined(separator: ": ")
    }
    return (["Layer \(number + 1)"] + keys.dropFirst(2).map(wording) + [reason]).joined(separator: ": ")
}
