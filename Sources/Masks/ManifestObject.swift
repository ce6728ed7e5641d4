import FaceGeometry
import JSON

/// Reads the members of a JSON object strictly: every fault is an error with its JSON pointer, and so is every key that
/// nobody asked for.
struct ManifestObject {
    private let path: String
    private let pointer: String
    private let members: [JSONValue.Member]

    /// - Parameter keys: all the keys that the object may have.
    init(_ value: JSONValue, path: String, pointer: String, keys: [String]) throws(MaskError) {
        self.path = path
        self.pointer = pointer
        guard case .object(let members) = value else {
            throw MaskError(path: path, pointer: pointer, "must be an object, not \(value.kind)")
        }
        self.members = members
        for member in members where !keys.contains(member.key) {
            throw MaskError(
                path: path, pointer: pointer + "/" + Self.escaped(member.key),
                "unknown key; known here are \(keys.map { "\"\($0)\"" }.joined(separator: ", "))")
        }
    }

    func error(_ key: String, _ reason: String) -> MaskError {
        MaskError(path: path, pointer: pointer + "/" + key, reason)
    }

    func optionalString(_ key: String) throws(MaskError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else { throw error(key, "must be a string, not \(value.kind)") }
        return string
    }

    func string(_ key: String) throws(MaskError) -> String {
        guard let string = try optionalString(key) else { throw missing(key) }
        return string
    }

    func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(MaskError) -> Double? {
        guard let value = value(key) else { return nil }
        guard case .number(let number) = value else { throw error(key, "must be a number, not \(value.kind)") }
        guard range.contains(number) else {
            throw error(key, "must lie in \(range.lowerBound)…\(range.upperBound), not be \(number)")
        }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws(MaskError) -> Double {
        guard let number = try optionalNumber(key, in: range) else { throw missing(key) }
        return number
    }

    /// A number, or how a signal of the face makes one: `{"by": "mouthOpening", "from": [0.1, 0.6], "to": [0, 1]}`.
    func optionalDrivenNumber(_ key: String, in range: ClosedRange<Double>) throws(MaskError) -> DrivenNumber? {
        guard let value = value(key) else { return nil }
        guard case .object = value else { return DrivenNumber(Float(try number(key, in: range))) }
        guard let object = try optionalObject(key, keys: ["by", "from", "to"]) else { return nil }
        guard let signal = try object.optionalCase("by", as: ExpressionSignals.Name.self) else {
            throw object.missing("by")
        }
        let from = try object.optionalPair("from", in: -1...1) ?? (0, 1)
        guard from.0 < from.1 else { throw object.error("from", "must grow") }
        let to =
            try object.optionalPair("to", in: range) ?? (range.lowerBound < 0 ? 0 : range.lowerBound, range.upperBound)
        return DrivenNumber(by: signal, from: Float(from.0)...Float(from.1), to: (Float(to.0), Float(to.1)))
    }

    /// An array of two numbers.
    func optionalPair(_ key: String, in range: ClosedRange<Double>) throws(MaskError) -> (Double, Double)? {
        guard let elements = try optionalArray(key) else { return nil }
        var numbers: [Double] = []
        for element in elements {
            guard case .number(let number) = element.value, range.contains(number) else {
                throw MaskError(
                    path: path, pointer: element.pointer,
                    "must be a number in \(range.lowerBound)…\(range.upperBound)")
            }
            numbers.append(number)
        }
        guard numbers.count == 2 else { throw error(key, "must be two numbers, not \(numbers.count)") }
        return (numbers[0], numbers[1])
    }

    func optionalObject(_ key: String, keys: [String]) throws(MaskError) -> ManifestObject? {
        guard let value = value(key) else { return nil }
        return try ManifestObject(value, path: path, pointer: "\(pointer)/\(key)", keys: keys)
    }

    /// Strings of an array, each one of some names.
    func optionalNames<Value>(
        _ key: String, among names: [(name: String, value: Value)]
    ) throws(MaskError) -> [Value]? {
        guard let elements = try optionalArray(key) else { return nil }
        var result: [Value] = []
        for element in elements {
            guard case .string(let string) = element.value else {
                throw MaskError(
                    path: path, pointer: element.pointer, "must be a string, not \(element.value.kind)")
            }
            guard let known = names.first(where: { $0.name == string }) else {
                let possible = names.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw MaskError(
                    path: path, pointer: element.pointer, "\"\(string)\" is not known; possible are \(possible)")
            }
            result.append(known.value)
        }
        return result
    }

    /// The elements of an array with their pointers.
    func optionalArray(_ key: String) throws(MaskError) -> [(pointer: String, value: JSONValue)]? {
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value else { throw error(key, "must be an array, not \(value.kind)") }
        return elements.enumerated().map { ("\(pointer)/\(key)/\($0)", $1) }
    }

    /// A string that names a case.
    func optionalCase<Value: RawRepresentable & CaseIterable>(
        _ key: String, as type: Value.Type
    ) throws(MaskError) -> Value? where Value.RawValue == String {
        guard let string = try optionalString(key) else { return nil }
        guard let value = Value(rawValue: string) else { throw error(key, Self.notACase(string, of: type)) }
        return value
    }

    static func notACase<Value: RawRepresentable & CaseIterable>(_ string: String, of type: Value.Type) -> String
    where Value.RawValue == String {
        "\"\(string)\" is not known; possible are \(Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
    }

    func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    func missing(_ key: String) -> MaskError {
        MaskError(path: path, pointer: pointer, "the key \"\(key)\" is missing")
    }

    private static func escaped(_ key: String) -> String {
        key.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}
