/// Counts the stored properties of the types that a Swift file declares.
///
/// It reads as much of the grammar as that takes ("The Swift Programming Language", Declarations): comments, string and
/// regular expression literals, nested types, patterns, initial values, accessors and observers. Of conditional
/// compilation, all branches count.
struct StoredProperties {
    /// A struct, class or actor. Enumerations, protocols and extensions cannot hold stored properties.
    struct Count: Equatable {
        /// With the types around it: "Outer.Inner".
        let type: String
        var properties: Int
    }

    /// In the order of their declarations, those without stored properties, too.
    private(set) var counts: [Count] = []

    private var scopes: [Scope] = [Scope(kind: .block)]
    private let tokens: [Token]

    /// - Parameter source: the text of a file that compiles.
    init(source: String) {
        tokens = Token.all(in: source)
        for index in tokens.indices { read(index) }
    }

    private struct Scope {
        enum Kind: Equatable {
            /// Round or square brackets.
            case brackets
            /// The brackets of a pattern: `(a, b)`.
            case tuplePattern
            /// A body of a function, a closure, accessors.
            case block
            /// - Parameter count: an index of `counts`; nil: the type cannot hold stored properties.
            case type(name: String, count: Int?)
        }

        /// What the next token of a declaration belongs to.
        enum Part {
            /// Attributes, modifiers, keyword.
            case start
            case typeHead
            case pattern, annotation, value
            case other
        }

        let kind: Kind
        var part = Part.start
        var isStatic = false
        /// The stored properties that the last pattern declares.
        var inPattern = 0
        /// The type whose head is being read.
        var head: (name: String, isCounted: Bool)?
        /// `<` that have not been closed.
        var angles = 0
        /// Whether the condition of an `if` or `switch` in an initial value is being read.
        var isInCondition = false

        init(kind: Kind) { self.kind = kind }

        mutating func beginDeclaration() { self = Scope(kind: kind) }
    }

    private static let kindsOfTypes: Set = ["struct", "class", "actor", "enum", "extension", "protocol"]
    /// What may follow `class` where that is a modifier.
    private static let keywordsOfMembers: Set = ["let", "var", "func", "subscript", "override", "final"]

    private var top: Int { scopes.count - 1 }
    private var holder: Int? { if case .type(_, let count) = scopes[top].kind { count } else { nil } }

    private mutating func read(_ index: Int) {
        let token = tokens[index]
        let before = index > 0 ? tokens[index - 1].text : ""
        if token.beginsStatement, before != ",", !token.continuesExpression { scopes[top].beginDeclaration() }
        switch token.text {
        case "(", "[":
            let isPattern = scopes[top].part == .pattern && token.text == "(" && before != "unowned"
            scopes.append(Scope(kind: isPattern || scopes[top].kind == .tuplePattern ? .tuplePattern : .brackets))
        case ")", "]":
            let closed = scopes.removeLast()
            if closed.kind == .tuplePattern { add(closed.inPattern) }
        case "{": open(index)
        case "}":
            scopes.removeLast()
            if scopes[top].part != .value { scopes[top].part = .other }
        case ";": scopes[top].beginDeclaration()
        default: readName(index, before: before)
        }
    }

    private mutating func open(_ index: Int) {
        scopes[top].isInCondition = false
        if scopes[top].part == .typeHead, let head = scopes[top].head {
            let outer = scopes.compactMap { if case .type(let name, _) = $0.kind { name } else { nil } }
            let name = (outer.suffix(1) + [head.name]).joined(separator: ".")
            if head.isCounted { counts.append(Count(type: name, properties: 0)) }
            scopes.append(Scope(kind: .type(name: name, count: head.isCounted ? counts.count - 1 : nil)))
            return
        }
        if scopes[top].part == .pattern || scopes[top].part == .annotation {
            let first = index + 1 < tokens.count ? tokens[index + 1].text : ""
            // Accessors: the property is computed. Observers belong to a stored one.
            if first != "didSet", first != "willSet", let holder { counts[holder].properties -= scopes[top].inPattern }
            scopes[top].part = .other
        }
        scopes.append(Scope(kind: .block))
    }

    private mutating func readName(_ index: Int, before: String) {
        let token = tokens[index]
        if scopes[top].kind == .tuplePattern {
            let isLabel = index + 1 < tokens.count && tokens[index + 1].text == ":"
            if token.isName, token.text != "_", !isLabel { scopes[top].inPattern += 1 }
            return
        }
        switch scopes[top].part {
        case .start, .other:
            if Self.kindsOfTypes.contains(token.text), before != ".", before != "import", index + 1 < tokens.count,
                tokens[index + 1].isName, !Self.keywordsOfMembers.contains(tokens[index + 1].text)
            {
                let isCounted = ["struct", "class", "actor"].contains(token.text)
                scopes[top].head = (qualifiedName(at: index + 1), isCounted)
                scopes[top].part = .typeHead
            } else if scopes[top].part == .start {
                switch token.text {
                case "static", "class": scopes[top].isStatic = true
                case "let", "var": scopes[top].part = .pattern
                case "func", "init", "deinit", "case", "subscript", "typealias", "associatedtype", "import":
                    scopes[top].part = .other
                default: break
                }
            }
        case .pattern:
            switch token.text {
            case ":": scopes[top].part = .annotation
            case "=": scopes[top].part = .value
            case ",": scopes[top].inPattern = 0
            default: if token.isName, token.text != "_" { add(1) }
            }
        case .annotation, .value:
            switch token.text {
            case "<" where token.isAttached || scopes[top].part == .annotation: scopes[top].angles += 1
            case ">" where scopes[top].angles > 0: scopes[top].angles -= 1
            case "if", "switch": scopes[top].isInCondition = true
            case "=" where scopes[top].part == .annotation: scopes[top].part = .value
            case "," where scopes[top].angles == 0 && !scopes[top].isInCondition:
                (scopes[top].part, scopes[top].inPattern) = (.pattern, 0)
            default: break
            }
        case .typeHead: break
        }
    }

    /// - Parameter count: stored properties of the pattern that is being read.
    private mutating func add(_ count: Int) {
        if scopes[top].kind == .tuplePattern { return scopes[top].inPattern += count }
        guard let holder, scopes[top].part == .pattern, !scopes[top].isStatic else { return }
        scopes[top].inPattern += count
        counts[holder].properties += count
    }

    /// "Outer.Inner" of `extension Outer.Inner`.
    private func qualifiedName(at index: Int) -> String {
        var (name, next) = (tokens[index].text, index + 1)
        while next + 1 < tokens.count, tokens[next].text == "." {
            name += "." + tokens[next + 1].text
            next += 2
        }
        return name
    }
}

/// A name, a keyword, a literal or a character of punctuation; `->` is one.
private struct Token {
    /// Of literals: `""`.
    let text: String
    /// Whether it is the first one on its line, or after an opening brace.
    let beginsStatement: Bool
    /// Whether no space is in front of it.
    let isAttached: Bool

    var isName: Bool { text.first.map { $0.isLetter || $0 == "_" || $0 == "`" } ?? false }
    /// Whether it goes on with an expression, a type or a head of the line above.
    var continuesExpression: Bool {
        [".", ",", "=", "{", "}", ")", "]", "?", ":", "->", "&", "|", "+", "-", "*", "/", "<", ">", "!"].contains(text)
            || ["where", "else", "is", "as", "in"].contains(text)
    }

    static func all(in source: String) -> [Token] {
        var scanner = Scanner(Array(source))
        scanner.scan(until: nil)
        return scanner.tokens
    }

    private struct Scanner {
        let text: [Character]
        var place = 0
        var tokens: [Token] = []
        var isNewStatement = true
        var isAttached = false

        init(_ text: [Character]) { self.text = text }

        func has(_ prefix: String, at place: Int) -> Bool {
            text[min(place, text.count)...].starts(with: prefix)
        }

        mutating func add(_ token: String) {
            tokens.append(Token(text: token, beginsStatement: isNewStatement, isAttached: isAttached))
            isNewStatement = token == "{"
            isAttached = true
        }

        /// - Parameter end: the closing bracket of an interpolation, whose tokens the caller removes; nil: the text's end.
        mutating func scan(until end: Character?) {
            var depth = 0
            while place < text.count {
                let character = text[place]
                if end != nil {
                    if character == "(" { depth += 1 }
                    if character == ")" {
                        if depth == 0 { return }
                        depth -= 1
                    }
                }
                if has("//", at: place) {
                    while place < text.count, !text[place].isNewline { place += 1 }
                } else if has("/*", at: place) {
                    skipComment()
                } else if character.isNewline {
                    (isNewStatement, isAttached) = (true, false)
                    place += 1
                } else if character.isWhitespace {
                    isAttached = false
                    place += 1
                } else if character == "\"" || character == "#" && opensRawLiteral {
                    skipLiteral()
                } else if character == "/", let end = endOfRegularExpression {
                    place = end
                    add("\"\"")
                } else if character.isLetter || character.isNumber || character == "_" || character == "`" {
                    let start = place
                    while place < text.count,
                        text[place].isLetter || text[place].isNumber || text[place] == "_" || text[place] == "`"
                    {
                        place += 1
                    }
                    add(String(text[start..<place]))
                } else if has("->", at: place) {
                    place += 2
                    add("->")
                } else {
                    place += 1
                    add(String(character))
                }
            }
        }

        /// Comments may be nested.
        private mutating func skipComment() {
            var depth = 0
            repeat {
                if has("/*", at: place) {
                    (depth, place) = (depth + 1, place + 2)
                } else if has("*/", at: place) {
                    (depth, place) = (depth - 1, place + 2)
                } else {
                    place += 1
                }
            } while depth > 0 && place < text.count
        }

        private var opensRawLiteral: Bool {
            let after = text[place...].first { $0 != "#" }
            return after == "\"" || after == "/"
        }

        /// A string, with its interpolations, or a regular expression between number signs.
        private mutating func skipLiteral() {
            var hashes = ""
            while text[place] == "#" { (hashes, place) = (hashes + "#", place + 1) }
            let quote = text[place] == "/" ? "/" : has("\"\"\"", at: place) ? "\"\"\"" : "\""
            place += quote.count
            while place < text.count, !has(quote + hashes, at: place) {
                guard has("\\" + hashes, at: place) else {
                    place += 1
                    continue
                }
                place += 1 + hashes.count
                if quote != "/", place < text.count, text[place] == "(" {
                    let (kept, wasNew) = (tokens.count, isNewStatement)
                    place += 1
                    scan(until: ")")
                    tokens.removeSubrange(kept...)
                    isNewStatement = wasNew
                }
                place += 1
            }
            place += quote.count + hashes.count
            add("\"\"")
        }

        /// Behind the `/` that closes a regular expression; nil: this `/` is an operator.
        private var endOfRegularExpression: Int? {
            let before = text[..<place].last { !$0.isWhitespace }
            guard let before, "=([,:{&|!?;".contains(before) else { return nil }
            var end = place + 1
            guard end < text.count, !text[end].isWhitespace else { return nil }
            while end < text.count, !text[end].isNewline {
                if text[end] == "/" { return end + 1 }
                end += text[end] == "\\" ? 2 : 1
            }
            return nil
        }
    }
}
