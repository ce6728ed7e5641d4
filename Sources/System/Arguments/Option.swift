import Files

/// An option with a value of a certain type, and the value that holds if it is not given. Declared once as a static
/// property, listed in the command's `options`, and looked up with `arguments[option]`.
///
///     static let quality = Option("quality", value: "number", in: 1...100, default: 92, help: "JPEG quality.")
///     static let model = Option<String?>("model", value: "file", help: "A landmark model.")
package struct Option<Value: Sendable>: CommandOption {
    package internal(set) var definition: OptionDefinition
    /// The value if the option is not given.
    package let absent: Value

    /// - Parameters:
    ///   - value: the name of the value in the help.
    ///   - limits: range and default, as the help shows them.
    ///   - parse: turns the text into the value.
    package init(
        _ name: String, letter: Character? = nil, value: String, absent: Value, limits: String? = nil,
        deprecatedNames: [String] = [], help: String,
        parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        var definition = OptionDefinition(name: name, letter: letter, value: value, help: help)
        definition.deprecatedNames = deprecatedNames
        definition.limits = limits
        definition.parse = { (word) throws(InvalidValue) in
            guard let text = word.string else { throw InvalidValue("is not UTF-8, which is required here") }
            return try parse(text)
        }
        self.definition = definition
        self.absent = absent
    }

    /// The option, which may not be given twice: otherwise the last one counts.
    /// - Parameter advice: what to do instead.
    package func once(_ advice: String) -> Option {
        var option = self
        option.definition.adviceIfRepeated = advice
        return option
    }

    /// The option, which needs no value at the end, or before another option. A value that begins with a dash follows `=`.
    /// - Parameter value: what counts then.
    package func implying(_ value: FilePath) -> Option {
        var option = self
        option.definition.impliedValue = value
        return option
    }

    /// The option with the text of its manual page.
    package func details(_ text: String) -> Option {
        var option = self
        option.definition.details = text
        return option
    }

    /// An option whose value is taken as bytes.
    fileprivate init(_ definition: OptionDefinition, absent: Value, parse: @escaping @Sendable (FilePath) -> Value) {
        var definition = definition
        definition.parse = parse
        definition.kind = .file
        self.definition = definition
        self.absent = absent
    }
}

// MARK: Text

extension Option where Value == String {
    /// Any text, for example a path.
    package init(
        _ name: String, letter: Character? = nil, value: String, default text: String, defaultText: String? = nil,
        deprecatedNames: [String] = [], help: String
    ) {
        self.init(
            name, letter: letter, value: value, absent: text, limits: "default: \(defaultText ?? text)",
            deprecatedNames: deprecatedNames, help: help
        ) { $0 }
    }
}

extension Option where Value == String? {
    /// Any text; nil if it is not given.
    /// - Parameter defaultText: what then holds, for the help.
    package init(
        _ name: String, letter: Character? = nil, value: String, defaultText: String? = nil,
        deprecatedNames: [String] = [], help: String
    ) {
        self.init(
            name, letter: letter, value: value, absent: nil, limits: defaultText.map { "default: \($0)" },
            deprecatedNames: deprecatedNames, help: help
        ) { $0 }
    }
}

// MARK: Paths

extension Option where Value == FilePath {
    /// A path, whatever its bytes: of a file, unless `takes` says something else.
    /// - Parameter defaultText: the default as the help texts show it; nil: the path.
    package init(
        _ name: String, letter: Character? = nil, value: String, default path: FilePath, defaultText: String? = nil,
        help: String
    ) {
        var definition = OptionDefinition(name: name, letter: letter, value: value, help: help)
        definition.limits = "default: \(defaultText ?? path.description)"
        self.init(definition, absent: path) { $0 }
    }
}

extension Option where Value == FilePath? {
    /// A path, whatever its bytes, of a file, unless `takes` says something else; nil if it is not given.
    package init(_ name: String, letter: Character? = nil, value: String, help: String) {
        self.init(OptionDefinition(name: name, letter: letter, value: value, help: help), absent: nil) { $0 }
    }
}

extension FilePath {
    /// As text; bytes that are not UTF-8 become U+FFFD.
    var decoded: String { String(decoding: bytes, as: UTF8.self) }
}
