import Glibc

/// Writes all bytes to a file descriptor, however many at a time the system takes, through interruptions by signals.
/// - Returns: false when the system refuses; `errno` then says why.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var position = 0
    while position < bytes.count {
        let count = write(descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        position += count
    }
    return true
}
