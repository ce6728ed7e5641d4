/// The name under which a person is enrolled. Two names that differ only in how accents are encoded are the same.
package struct PersonName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Why a text cannot be a name.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        /// Completes a sentence that begins with the text: "is empty".
        package let reason: String

        package var description: String { reason }
    }

    /// The word that stands for everybody who is not enrolled.
    package static let unknown = "unknown"
    /// The words of `--people` besides masks.
    private static let coverings = ["none", "blur"]
    /// In bytes of UTF-8.
    package static let longest = 100

    package let text: String

    package var description: String { text }

    /// - Throws: `Invalid`.
    package init(_ text: String) throws(Invalid) {
        func refuse(_ reason: String) throws(Invalid) { throw Invalid(reason: reason) }
        if text.isEmpty { try refuse("is empty") }
        if text.utf8.count > Self.longest {
            try refuse("has \(text.utf8.count) bytes; the limit is \(Self.longest)")
        }
        if text.lowercased() == Self.unknown {
            try refuse("means everybody who is not enrolled; choose another name")
        }
        if Self.coverings.contains(text.lowercased()) {
            try refuse("is a covering in --people; choose another name")
        }
        if let mark = text.first(where: { $0 == "=" || $0 == "," }) {
            try refuse("has a '\(mark)', which separates names and masks in --people; choose a name without")
        }
        if text.hasPrefix("-") { try refuse("begins with '-', like an option") }
        if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
            try refuse("begins or ends with a space")
        }
        let isPrintable = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        if !isPrintable { try refuse("contains invisible characters") }
        self.text = text
    }

    package static func < (a: PersonName, b: PersonName) -> Bool { a.text < b.text }
}
