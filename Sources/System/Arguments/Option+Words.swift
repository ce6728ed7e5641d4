extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    package init(
        _ name: String, letter: Character? = nil, default word: Value, deprecatedNames: [String] = [], help: String
    ) {
        self.init(
            name, letter: letter, value: Words.alternatives(of: Value.self), absent: word,
            limits: "default: \(word.rawValue)", deprecatedNames: deprecatedNames, help: help
        ) { (text) throws(InvalidValue) in try Words.word(text) }
        definition.kind = .words(Words.names(of: Value.self))
    }
}

extension Option {
    /// One of the words of an enumeration; nil if it is not given.
    /// - Parameter defaultText: what then holds, for the help.
    package init<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, letter: Character? = nil, words: Word.Type, defaultText: String? = nil,
        deprecatedNames: [String] = [], help: String
    ) where Value == Word?, Word.RawValue == String {
        self.init(
            name, letter: letter, value: Words.alternatives(of: Word.self), absent: nil,
            limits: defaultText.map { "default: \($0)" }, deprecatedNames: deprecatedNames, help: help
        ) { (text) throws(InvalidValue) in try Words.word(text) as Word }
        definition.kind = .words(Words.names(of: Word.self))
    }

    /// Some of the words of an enumeration, separated by commas; empty if it is not given.
    package init<Word: RawRepresentable & CaseIterable & Hashable & Sendable>(
        _ name: String, letter: Character? = nil, listOf words: Word.Type, deprecatedNames: [String] = [], help: String
    ) where Value == Set<Word>, Word.RawValue == String {
        self.init(
            name, letter: letter, value: Words.names(of: Word.self).joined(separator: ","), absent: [],
            deprecatedNames: deprecatedNames, help: help
        ) { (text) throws(InvalidValue) in
            var chosen: Set<Word> = []
            for name in text.split(separator: ",") {
                guard let word = Word(rawValue: String(name)) else {
                    throw InvalidValue(
                        "must list some of \(Words.names(of: Word.self).joined(separator: ", ")), separated by commas")
                }
                chosen.insert(word)
            }
            return chosen
        }
        definition.kind = .words(Words.names(of: Word.self), isList: true)
    }
}

/// The words of an enumeration as an option's value.
private enum Words {
    static func names<Word: RawRepresentable & CaseIterable>(
        of type: Word.Type
    ) -> [String] where Word.RawValue == String { Word.allCases.map(\.rawValue) }

    static func alternatives<Word: RawRepresentable & CaseIterable>(
        of type: Word.Type
    ) -> String where Word.RawValue == String { names(of: type).joined(separator: "|") }

    static func word<Word: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws(InvalidValue) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            throw InvalidValue("must be one of \(names(of: Word.self).joined(separator: ", "))")
        }
        return word
    }
}
