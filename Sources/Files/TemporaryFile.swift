import Glibc

/// Writes a new file beside another, to take its name once it is whole.
/// - Parameter mode: its permissions.
/// - Returns: the new file's path; nil when it could not be written whole. Then nothing is left, and `errno` says why.
package func writeTemporaryFile(_ bytes: UnsafeRawBufferPointer, beside path: String, mode: mode_t) -> String? {
    // Hidden, and with a name that no one takes for a picture, should the machine stop half-way.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var template = Array((folder + ".bauta-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var failure: Int32 = writeAll(bytes, to: descriptor) ? 0 : errno
    _ = fchmod(descriptor, mode)
    // Some file systems report a full disk only when the file is closed.
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    if failure == 0 { return temporary }
    unlink(temporary)
    errno = failure
    return nil
}
