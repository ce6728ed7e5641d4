import FaceGeometry
import JSON
import Pixels

/// Reads the members of a JSON object strictly. Every problem is added to the reading with its JSON pointer, and so is
/// every unknown key. A faulty value reads as if it were missing.
struct ManifestObject {
    let reading: MaskReading
    let pointer: String
    private let members: [JSONValue.Member]

    /// - Parameter keys: the keys that the object may have.
    init?(_ value: JSONValue, _ reading: MaskReading, pointer: String, keys: [String]) {
        self.reading = reading
        self.pointer = pointer
        guard case .object(let members) = value else {
            reading.add(.wrongType, at: pointer, "must be an object, not \(value.kind)")
            return nil
        }
        self.members = members
        for member in members where !keys.contains(member.key) {
            reading.add(
                .unknownKey, at: pointer + "/" + JSONPointer.part(member.key),
                "unknown key; allowed here: \(Self.list(keys))")
        }
    }

    func fault(_ code: MaskProblem.Code, _ key: String, _ reason: String) {
        reading.add(code, at: pointer + "/" + key, reason)
    }

    func missing(_ key: String) {
        reading.add(.missingKey, at: pointer, "the key \"\(key)\" is missing")
    }

    func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }
    func has(_ key: String) -> Bool { value(key) != nil }

    // MARK: Strings and numbers

    func optionalString(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else {
            fault(.wrongType, key, "must be a string, not \(value.kind)")
            return nil
        }
        return string
    }

    func string(_ key: String) -> String? {
        if !has(key) { missing(key) }
        return optionalString(key)
    }

    func optionalBool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let bool) = value else {
            fault(.wrongType, key, "must be true or false, not \(value.kind)")
            return nil
        }
        return bool
    }

    func optionalNumber(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = value(key) else { return nil }
        guard case .number(let number) = value else {
            fault(.wrongType, key, "must be a number, not \(value.kind)")
            return nil
        }
        guard range.contains(number) else {
            fault(.outOfRange, key, "must be in \(range.lowerBound)…\(range.upperBound), not be \(number)")
            return nil
        }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
        if !has(key) { missing(key) }
        return optionalNumber(key, in: range)
    }

    /// A number, or a mapping from a signal of face or sound: `{"by": "mouthOpening", "from": [0.1, 0.6], "to": [0, 1]}`.
    func optionalAnimatableValue(_ key: String, in range: ClosedRange<Double>) -> AnimatableValue? {
        guard case .object? = value(key) else {
            return optionalNumber(key, in: range).map { AnimatableValue(Float($0)) }
        }
        guard let object = optionalObject(key, keys: ["by", "from", "to"]) else { return nil }
        if !object.has("by") { object.missing("by") }
        let signal = object.optionalCase("by", as: ExpressionSignals.Name.self)
        let from = object.optionalPair("from", in: -1...1) ?? (0, 1)
        if from.0 >= from.1 { object.fault(.outOfRange, "from", "must grow") }
        let to = object.optionalPair("to", in: range) ?? (range.lowerBound < 0 ? 0 : range.lowerBound, range.upperBound)
        guard let signal, from.0 < from.1 else { return nil }
        return AnimatableValue(by: signal, from: Float(from.0)...Float(from.1), to: (Float(to.0), Float(to.1)))
    }

    /// A colour as in CSS: "#" and six hexadecimal digits.
    /// - Returns: sRGB-encoded, 0…1.
    func optionalColor(_ key: String) -> SIMD3<Float>? {
        guard let string = optionalString(key) else { return nil }
        guard let color = SIMD3(hexadecimalColor: string) else {
            fault(.unknownWord, key, "\"\(string)\" is no colour; use \"#\" and six hexadecimal digits")
            return nil
        }
        return SIMD3<Float>(color) / 255
    }

    // MARK: Arrays and objects

    /// The elements of an array with their pointers.
    func optionalArray(_ key: String) -> [(pointer: String, value: JSONValue)]? {
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value else {
            fault(.wrongType, key, "must be an array, not \(value.kind)")
            return nil
        }
        return elements.enumerated().map { ("\(pointer)/\(key)/\($0)", $1) }
    }

    /// An array of at least one element.
    func filledArray(_ key: String, of what: String) -> [(pointer: String, value: JSONValue)]? {
        if !has(key) { missing(key) }
        guard let elements = optionalArray(key) else { return nil }
        guard !elements.isEmpty else {
            fault(.emptyValue, key, "must be an array of at least one \(what)")
            return nil
        }
        return elements
    }

    /// An array of two numbers.
    func optionalPair(_ key: String, in range: ClosedRange<Double>) -> (Double, Double)? {
        optionalNumbers(key, count: 2, "two", in: range).map { ($0[0], $0[1]) }
    }

    /// An array of three numbers.
    func optionalTriple(_ key: String, in range: ClosedRange<Double>) -> SIMD3<Float>? {
        optionalNumbers(key, count: 3, "three", in: range).map { SIMD3($0.map { Float($0) }) }
    }

    private func optionalNumbers(
        _ key: String, count: Int, _ word: String, in range: ClosedRange<Double>
    ) -> [Double]? {
        guard let elements = optionalArray(key) else { return nil }
        var numbers: [Double] = []
        for element in elements {
            guard case .number(let number) = element.value else {
                reading.add(.wrongType, at: element.pointer, "must be a number, not \(element.value.kind)")
                return nil
            }
            guard range.contains(number) else {
                reading.add(
                    .outOfRange, at: element.pointer, "must be a number in \(range.lowerBound)…\(range.upperBound)")
                return nil
            }
            numbers.append(number)
        }
        guard numbers.count == count else {
            fault(.wrongType, key, "must be \(word) numbers, not \(numbers.count)")
            return nil
        }
        return numbers
    }

    func optionalObject(_ key: String, keys: [String]) -> ManifestObject? {
        value(key).flatMap { ManifestObject($0, reading, pointer: "\(pointer)/\(key)", keys: keys) }
    }

    // MARK: Words

    /// An array of strings, each one of `names`.
    func optionalNames<Value>(_ key: String, among names: [(name: String, value: Value)]) -> [Value]? {
        optionalArray(key)?.compactMap { element in
            guard case .string(let string) = element.value else {
                reading.add(.wrongType, at: element.pointer, "must be a string, not \(element.value.kind)")
                return nil
            }
            let known = names.first { $0.name == string }
            if known == nil {
                reading.add(
                    .unknownWord, at: element.pointer,
                    "\"\(string)\" is unknown; use one of \(Self.list(names.map(\.name)))")
            }
            return known?.value
        }
    }

    /// A string that names a case.
    func optionalCase<Value: RawRepresentable & CaseIterable>(
        _ key: String, as type: Value.Type
    ) -> Value? where Value.RawValue == String {
        guard let string = optionalString(key) else { return nil }
        guard let value = Value(rawValue: string) else {
            fault(
                .unknownWord, key,
                "\"\(string)\" is unknown; use one of \(Self.list(Value.allCases.map(\.rawValue)))")
            return nil
        }
        return value
    }

    static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}
