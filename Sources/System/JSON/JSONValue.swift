import CJansson
import Glibc

/// A JSON value (RFC 8259). Hides Jansson, which was chosen because it reports duplicate keys and the position of
/// errors.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in their order in the text.
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Why a text is refused: it is not JSON, or an object has a key twice. Line and column count from 1.
    package struct SyntaxError: Error, Equatable, CustomStringConvertible {
        package let line: Int
        package let column: Int
        package let reason: String

        package var description: String { "line \(line), column \(column): \(reason)" }
    }

    /// The kind of value with its article, for error messages: "an array".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: Reading

extension JSONValue {
    /// Strict: duplicate keys, NaN, numbers that overflow, and anything after the value are errors.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(SyntaxError) {
        var error = json_error_t()
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let root = json_loadb(text, bytes.count, cjansson_flags_strict(), &error) else {
            let reason = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            // Jansson names a flag of its own after what is wrong.
            let flag = reason.firstRange(of: " without JSON_ALLOW_NUL")?.lowerBound ?? reason.endIndex
            throw SyntaxError(
                line: Int(error.line), column: Int(error.column), reason: String(reason[..<flag]))
        }
        defer { json_decref(root) }
        self.init(root)
    }

    package init(parsing text: String) throws(SyntaxError) {
        let bytes = Array(text.utf8)
        do {
            self = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch let error as SyntaxError {
            throw error
        } catch {
            throw SyntaxError(line: 0, column: 0, reason: "\(error)")
        }
    }

    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch json_type(UInt32(cjansson_type(value))) {
        case JSON_OBJECT:
            var members: [Member] = []
            var iterator = json_object_iter(value)
            while let current = iterator {
                if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
                    members.append(Member(String(cString: key), JSONValue(member)))
                }
                iterator = json_object_iter_next(value, current)
            }
            self = .object(members)
        case JSON_ARRAY:
            self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSONValue.init) })
        case JSON_STRING:
            self = .string(json_string_value(value).map { String(cString: $0) } ?? "")
        case JSON_INTEGER, JSON_REAL: self = .number(json_number_value(value))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = .null
        }
    }
}

// MARK: Writing

extension JSONValue {
    /// The value as text: on one line, or indented by two spaces. Infinity and NaN become null.
    package func text(indented: Bool = false) -> String {
        let value = jansson()
        defer { json_decref(value) }
        let flags = indented ? cjansson_flags_indented() : cjansson_flags_compact()
        guard let characters = json_dumps(value, flags) else { return "null" }
        defer { free(characters) }
        return String(cString: characters)
    }

    private func jansson() -> UnsafeMutablePointer<json_t>? {
        switch self {
        case .null: return json_null()
        case .bool(let value): return value ? json_true() : json_false()
        case .number(let value):
            guard value.isFinite else { return json_null() }
            // 640 rather than 640.0.
            if value == value.rounded(), abs(value) < 1e15 { return json_integer(json_int_t(value)) }
            return json_real(value)
        case .string(let value): return json_stringn(value, value.utf8.count) ?? json_null()
        case .array(let elements):
            let array = json_array()
            for element in elements { json_array_append_new(array, element.jansson()) }
            return array
        case .object(let members):
            let object = json_object()
            for member in members { json_object_set_new(object, member.key, member.value.jansson()) }
            return object
        }
    }
}

extension JSONValue {
    /// A number of any kind.
    package static func real(_ value: some BinaryFloatingPoint) -> JSONValue { .number(Double(value)) }
    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number(Double(value)) }

    /// An object with its members in the order given.
    package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member($0.key, $0.value) })
    }
}

// MARK: Editing

extension JSONValue {
    /// The value of an object's member; nil if none exists, or this is not an object. Setting keeps the position of
    /// an existing member, appends a new one, and removes it for nil; it has no effect on other values.
    package subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.key == key }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key, value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The element of an array; nil beyond its ends, or of anything else.
    package subscript(index: Int) -> JSONValue? {
        elements.indices.contains(index) ? elements[index] : nil
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The elements of an array; none of anything else.
    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
