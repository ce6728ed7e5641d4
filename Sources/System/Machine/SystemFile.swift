import Glibc

/// Files in which the system tells something, and which have no size of their own: `/proc`, `/sys`.
package enum SystemFile {
    /// The first 16 KiB; empty if there is no such file.
    package static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { bytes in
            let count = read(descriptor, bytes.baseAddress, bytes.count)
            return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        }
    }
}
