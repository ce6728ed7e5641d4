import JSON

extension JSONValue {
    /// A member of an object of preferences; nil if it is missing or not as it should be.
    /// - Parameters:
    ///   - wanted: the expected value, for the warning.
    ///   - warn: receives a sentence about a member that is not as it should be.
    ///   - read: nil for what is not as it should be.
    func preference<Value>(
        _ key: String, _ wanted: String, warn: (String) -> Void, _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = self[key] else { return nil }
        if let value = read(member) { return value }
        warn("'\(key)' must be \(wanted)")
        return nil
    }
}
