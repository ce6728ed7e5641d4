import Glibc

/// Writes all bytes to a file descriptor. Continues after partial writes and after interruptions by signals.
/// - Returns: false if the system reports an error; `errno` then holds it.
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
