/// What is wrong with a mask, where in it, and what would be right.
package struct MaskError: Error, Equatable, CustomStringConvertible {
    /// The file at fault.
    package let path: String
    /// The place in a manifest: a JSON pointer (RFC 6901); nil when the fault is in the file as a whole.
    package let pointer: String?
    package let reason: String

    package init(path: String, pointer: String? = nil, _ reason: String) {
        self.path = path
        self.pointer = pointer
        self.reason = reason
    }

    package var description: String {
        guard let pointer else { return "\(path): \(reason)" }
        return "\(path): \(pointer.isEmpty ? "the whole document" : pointer): \(reason)"
    }
}
