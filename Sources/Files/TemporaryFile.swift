import Glibc

/// Files that exist until a finished file takes its name.
package enum TemporaryFile {
    /// Writes a new, hidden file into the folder of `path`, so that it can be renamed to `path` once it is complete.
    /// - Parameter mode: the new file's permissions.
    /// - Returns: the new file's path; nil if writing failed. Then the file is removed, and `errno` holds the reason.
    package static func write(_ bytes: UnsafeRawBufferPointer, beside path: String, mode: mode_t) -> String? {
        // The name does not look like a picture, in case the machine stops before the file is renamed.
        var template = Array((folder(of: path) + ".bauta-XXXXXX").utf8CString)
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

    /// An unused hidden name in the folder of `path`, for a file that another program writes (ffmpeg).
    package static func name(beside path: String) -> String {
        folder(of: path) + ".bauta-\(getpid())-" + String(UInt32.random(in: .min ... .max), radix: 36)
    }

    /// The path up to and including its last slash; empty for a path without one.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
