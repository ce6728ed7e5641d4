/// Places in JSON values, as RFC 6901 writes them: "/layers/0/type".
package enum JSONPointer {
    /// A member's name as a part of a pointer.
    package static func part(_ key: String) -> String {
        key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}
