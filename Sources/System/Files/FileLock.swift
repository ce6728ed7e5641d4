import Glibc

/// A lock that one process holds at a time (`flock`), on a file of its own, which is removed with this value. The system
/// frees it when the process ends, however it does.
package struct FileLock: ~Copyable, Sendable {
    /// Another process holds the lock.
    package struct Held: Error {}

    private let path: FilePath
    private let descriptor: Int32

    /// - Returns: nil where the file cannot be made, or the file system has no locks.
    /// - Throws: `Held`.
    package init?(_ path: FilePath) throws(Held) {
        while true {
            let descriptor = path.withCString {
                open($0, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
            }
            guard descriptor >= 0 else { return nil }
            var result = flock(descriptor, LOCK_EX | LOCK_NB)
            while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX | LOCK_NB) }
            if result == 0, Self.isOpen(path, descriptor) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            let code = errno
            close(descriptor)
            if result != 0 {
                if code == EWOULDBLOCK { throw Held() }
                return nil
            }
            // The one that held it has removed it meanwhile.
        }
    }

    /// Whether the file is still the one that was opened.
    private static func isOpen(_ path: FilePath, _ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let there = path.status(followsLinks: false) else { return false }
        return there.st_ino == status.st_ino && there.st_dev == status.st_dev
    }

    deinit {
        _ = path.withCString { unlink($0) }
        close(descriptor)
    }
}
