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
    /// - Parameter status: of the file; a link counts as itself.
    func contains(_ path: FilePath, _ status: stat) -> Bool {
        status.type == S_IFREG && written.withLock { $0[path] } == FileIdentity(status)
    }

    /// Whether the session has written into a folder, or into one below it.
    package func hasWritten(in folder: FilePath) -> Bool {
        written.withLock { $0.keys.contains { $0.relative(to: folder) != nil } }
    }
}
