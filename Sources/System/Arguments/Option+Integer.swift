extension Option where Value == Int {
    /// A whole number in a range.
    package init(
        _ name: String, letter: Character? = nil, value: String, in range: ClosedRange<Int>, default number: Int,
        defaultText: String? = nil, deprecatedNames: [String] = [], help: String
    ) {
        self.init(
            name, letter: letter, value: value, absent: number,
            limits: "\(IntegerRange.text(range)); default: \(defaultText ?? "\(number)")",
            deprecatedNames: deprecatedNames, help: help
        ) { (text) throws(InvalidValue) in try IntegerRange.number(text, in: range) }
    }
}

extension Option where Value == Int? {
    /// A whole number in a range; nil if it is not given.
    /// - Parameter defaultText: what then holds, for the help.
    package init(
        _ name: String, letter: Character? = nil, value: String, in range: ClosedRange<Int>,
        defaultText: String? = nil, deprecatedNames: [String] = [], help: String
    ) {
        let limits = [IntegerRange.text(range)] + (defaultText.map { ["default: \($0)"] } ?? [])
        self.init(
            name, letter: letter, value: value, absent: nil, limits: limits.joined(separator: "; "),
            deprecatedNames: deprecatedNames, help: help
        ) { (text) throws(InvalidValue) in try IntegerRange.number(text, in: range) }
    }
}

/// The ranges of options with whole numbers.
enum IntegerRange {
    /// An upper bound from here on only prevents overflows, and is not worth mentioning.
    private static let unlimited = 1_000_000

    static func text(_ range: ClosedRange<Int>) -> String {
        range.upperBound >= unlimited ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }

    static func number(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw InvalidValue("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
