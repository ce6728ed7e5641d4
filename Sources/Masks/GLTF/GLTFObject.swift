import JSON

/// An object of a glTF document with its JSON pointer. A missing value reads as its default; an invalid one is an
/// error.
struct GLTFObject {
    let value: JSONValue
    let pointer: String

    init(_ value: JSONValue, pointer: String) throws(ModelError) {
        guard case .object = value else {
            throw ModelError(.damaged, at: pointer, "must be an object, not \(value.kind)")
        }
        self.value = value
        self.pointer = pointer
    }

    func has(_ key: String) -> Bool { value[key] != nil }
    func place(_ key: String) -> String { "\(pointer)/\(key)" }

    func object(_ key: String) throws(ModelError) -> GLTFObject? {
        guard let value = value[key] else { return nil }
        return try GLTFObject(value, pointer: place(key))
    }

    /// Nil if the key is missing.
    func array(_ key: String, atMost limit: Int = ModelLimits.maximumElements) throws(ModelError) -> [JSONValue]? {
        guard let value = value[key] else { return nil }
        guard case .array(let elements) = value else {
            throw ModelError(.damaged, at: place(key), "must be an array, not \(value.kind)")
        }
        guard elements.count <= limit else {
            throw ModelError(.tooLarge, at: place(key), "has \(elements.count) elements, the limit is \(limit)")
        }
        return elements
    }

    /// An element of an array of objects.
    func element(_ key: String, _ index: Int) throws(ModelError) -> GLTFObject {
        let elements = try array(key) ?? []
        guard elements.indices.contains(index) else {
            throw ModelError(.damaged, at: place(key), "has \(elements.count) elements, but number \(index) is used")
        }
        return try GLTFObject(elements[index], pointer: "\(place(key))/\(index)")
    }

    func string(_ key: String) throws(ModelError) -> String? {
        guard let value = value[key] else { return nil }
        guard let string = value.string else {
            throw ModelError(.damaged, at: place(key), "must be a string, not \(value.kind)")
        }
        return string
    }

    func bool(_ key: String) throws(ModelError) -> Bool {
        guard let value = value[key] else { return false }
        guard let bool = value.bool else {
            throw ModelError(.damaged, at: place(key), "must be true or false, not \(value.kind)")
        }
        return bool
    }

    /// A whole number of 0…2³¹; nil if the key is missing.
    func index(_ key: String) throws(ModelError) -> Int? {
        guard let value = value[key] else { return nil }
        return try Self.index(value, at: place(key))
    }

    func indices(_ key: String) throws(ModelError) -> [Int] {
        var result: [Int] = []
        for (index, element) in (try array(key) ?? []).enumerated() {
            result.append(try Self.index(element, at: "\(place(key))/\(index)"))
        }
        return result
    }

    private static func index(_ value: JSONValue, at pointer: String) throws(ModelError) -> Int {
        guard let number = value.number, number >= 0, number <= Double(1 << 31), number == number.rounded() else {
            throw ModelError(.damaged, at: pointer, "must be a whole number of at least 0")
        }
        return Int(number)
    }

    func number(_ key: String, default: Float, in range: ClosedRange<Float>) throws(ModelError) -> Float {
        guard let value = value[key] else { return `default` }
        return try Self.number(value, in: range, at: place(key))
    }

    /// Numbers of a fixed count; nil if the key is missing.
    func numbers(_ key: String, count: Int, in range: ClosedRange<Float>) throws(ModelError) -> [Float]? {
        guard let elements = try array(key) else { return nil }
        guard elements.count == count else {
            throw ModelError(.damaged, at: place(key), "must have \(count) numbers, not \(elements.count)")
        }
        var result: [Float] = []
        for (index, element) in elements.enumerated() {
            result.append(try Self.number(element, in: range, at: "\(place(key))/\(index)"))
        }
        return result
    }

    private static func number(
        _ value: JSONValue, in range: ClosedRange<Float>, at pointer: String
    ) throws(ModelError) -> Float {
        guard let number = value.number else {
            throw ModelError(.damaged, at: pointer, "must be a number, not \(value.kind)")
        }
        guard range.contains(Float(number)) else {
            throw ModelError(
                .number, at: pointer, "must be in \(range.lowerBound)…\(range.upperBound), not be \(number)")
        }
        return Float(number)
    }
}
