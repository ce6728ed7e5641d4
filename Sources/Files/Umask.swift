import Glibc

/// The permissions that the process withholds from new files. `open` applies them, `mkstemp` does not.
enum Umask {
    // umask() can only be read by setting it, which would race with other threads; /proc/self/status lists it.
    static let value: mode_t = {
        let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(descriptor, &status, status.count))
        let line = status[..<count].split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "Umask:".utf8) }
        let digits = line.map { String(decoding: $0.dropFirst(6), as: UTF8.self).filter(\.isNumber) }
        return digits.flatMap { mode_t($0, radix: 8) } ?? 0o022
    }()
}
