/// The values of an option or an argument, for completions: files, folders, words to choose from, or several of these.
package struct ValueKind: Sendable {
    package enum Paths: Equatable, Sendable {
        case none
        case folders
        /// Folders, and files whose names have one of these endings: lower case, without the dot. Empty: all files.
        case files(endings: [String])
    }

    package var paths: Paths
    /// Whether several words may be given, with commas between them.
    package var isList: Bool
    /// The words to choose from.
    /// - Parameter before: the command's arguments before this one.
    package var words: @Sendable (_ before: [String]) -> [Completion]

    package init(
        paths: Paths = .none, isList: Bool = false,
        words: @escaping @Sendable (_ before: [String]) -> [Completion] = { _ in [] }
    ) {
        self.paths = paths
        self.isList = isList
        self.words = words
    }

    /// Nothing that could be offered: a number, a name.
    package static let text = ValueKind()
    package static let folder = ValueKind(paths: .folders)
    package static let file = ValueKind(paths: .files(endings: []))

    /// - Parameter endings: lower case, without the dot.
    package static func file(_ endings: [String]) -> ValueKind { ValueKind(paths: .files(endings: endings)) }

    package static func words(_ words: [String], isList: Bool = false) -> ValueKind {
        ValueKind(isList: isList) { _ in words.map { Completion($0) } }
    }

    /// Both this and other words.
    package func orWords(_ more: String...) -> ValueKind {
        var both = self
        both.words = { [words] in words($0) + more.map { Completion($0) } }
        return both
    }
}

/// A word that a shell offers.
package struct Completion: Equatable, Sendable {
    package let word: String
    /// Its meaning; may be empty.
    package let description: String

    package init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }
}

extension Option {
    /// The option with what its value is, for completions.
    package func takes(_ kind: ValueKind) -> Option {
        var option = self
        option.definition.kind = kind
        return option
    }
}
