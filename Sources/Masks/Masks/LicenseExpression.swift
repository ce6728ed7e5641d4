/// Licences as SPDX writes them: identifiers, joined by AND, OR and WITH (SPDX specification 2.3, annex D).
enum LicenseExpression {
    /// Those that pictures, fonts and models often have, of <https://spdx.org/licenses/>. Others are no mistake.
    private static let common = [
        "CC0-1.0", "CC-BY-4.0", "CC-BY-3.0", "CC-BY-2.0", "CC-BY-SA-4.0", "CC-BY-SA-3.0", "CC-BY-SA-2.0",
        "CC-BY-NC-4.0",
        "CC-BY-NC-3.0", "CC-BY-NC-SA-4.0", "CC-BY-NC-SA-3.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0", "MIT", "Apache-2.0",
        "BSD-2-Clause", "BSD-3-Clause", "GPL-2.0-or-later", "GPL-2.0-only", "GPL-3.0-or-later", "GPL-3.0-only",
        "LGPL-2.1-or-later", "LGPL-3.0-or-later", "AGPL-3.0-or-later", "MPL-2.0", "OFL-1.1", "ISC", "Zlib", "Unlicense",
        "WTFPL", "LAL-1.3",
    ]

    /// The problem of a licence; nil: none.
    static func problem(_ text: String) -> String? {
        if common.contains(text) { return nil }
        let written = letters(text)
        // "CC BY 4.0", "cc-by", "CC0".
        let meant = common.first { letters($0) == written } ?? common.first { letters($0).hasPrefix(written) }
        if written.count >= 3, let meant { return "\"\(text)\" is not an SPDX identifier; use \"\(meant)\"" }
        guard !isExpression(text) else { return nil }
        return
            "\"\(text.prefix(80))\" is not an SPDX identifier such as \"CC-BY-4.0\"; a licence of your own begins with "
            + "\"LicenseRef-\""
    }

    /// Without what people leave out or add.
    private static func letters(_ text: String) -> String {
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == ".") }
        return words.filter { $0 != "license" && $0 != "licence" }.joined()
    }

    private static func isExpression(_ text: String) -> Bool {
        let words = text.filter { $0 != "(" && $0 != ")" }.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count % 2 == 1 else { return false }
        return words.enumerated().allSatisfy { index, word in
            if index % 2 == 1 { return ["AND", "OR", "WITH"].contains(word) }
            return !word.isEmpty
                && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.+:".contains($0)) }
        }
    }
}
