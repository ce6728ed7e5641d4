import Files
import Glibc
import Synchronization

/// The results that one session has written, which it may replace when the user has chosen otherwise. Any thread may use it.
package final class SessionResults: Sendable {
    /// As they were when they got their names, by their paths.
    private let written = Mutex<[FilePath: FileIdentity]>([:])

    package init() {}

    func note(_ path: FilePath, _ identity: FileIdentity) { written.withLock { $0[path] = identity } }

    /// Whether a file is still as the session has written it.
    package func contains(_ path: FilePath) -> Bool {
        guard let known = written.withLock({ $0[path] }), let status = path.status(followsLinks: false) else {
            return false
        }
        return status.type == S_IFREG && FileIdentity(status) == known
    }

    /// Whether the session has written into a folder, or into one below it.
    package func hasWritten(in folder: FilePath) -> Bool {
        written.withLock { $0.keys.contains { $0.relative(to: folder) != nil } }
    }
}
