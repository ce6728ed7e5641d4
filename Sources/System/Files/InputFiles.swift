import Glibc
import Synchronization

/// The files that the user has given to read: nothing is written over them, whatever their path, not even with --force.
package enum InputFiles {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) { (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
    }

    private static let known = Mutex<Set<Identity>>([])

    /// A link counts as what it points at.
    package static func protect(_ path: some FilePathConvertible) {
        guard let status = path.filePath.status(), status.type == S_IFREG else { return }
        _ = known.withLock { $0.insert(Identity(status)) }
    }

    /// - Parameter followsLinks: whether writing goes to what a link points at, and does not replace the link.
    /// - Throws: `FileError` if this file is an input.
    package static func check(_ path: some FilePathConvertible, followsLinks: Bool) throws(FileError) {
        try check(path.filePath, path.filePath.status(followsLinks: followsLinks))
    }

    /// The same for files that are inputs of one writing only, and may be written at another time.
    /// - Parameter inputs: regular files, or links to them.
    package static func check(_ path: FilePath, among inputs: [FilePath]) throws(FileError) {
        guard let own = path.status(followsLinks: false).map(Identity.init) else { return }
        if inputs.contains(where: { $0.status().map(Identity.init) == own }) { throw refusal(path) }
    }

    static func contains(_ status: stat) -> Bool { known.withLock { $0.contains(Identity(status)) } }

    static func check(_ path: FilePath, _ status: stat?) throws(FileError) {
        if let status, contains(status) { throw refusal(path) }
    }

    private static func refusal(_ path: FilePath) -> FileError {
        FileError(.alreadyExists, path: path, "is an input, and inputs are never overwritten; name another file")
    }
}
