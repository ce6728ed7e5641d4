import CFiles
import Glibc
import Synchronization

/// The files that the user has given to read: nothing is written over them, whatever their path, not even with --force.
package enum InputFiles {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) { (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
    }

    /// With the time of their creation, or -1: once an input has been deleted, another file may get its number.
    private static let known = Mutex<[Identity: Int64]>([:])

    /// A link counts as what it points at.
    package static func protect(_ path: some FilePathConvertible) {
        guard let status = path.filePath.status(), status.type == S_IFREG else { return }
        let birth = path.filePath.withCString { cfiles_birth_time(AT_FDCWD, $0, true) }
        known.withLock { $0[Identity(status)] = birth }
    }

    /// - Parameter followsLinks: whether writing goes to what a link points at, and does not replace the link.
    /// - Throws: `FileError` if this file is an input.
    package static func check(_ path: some FilePathConvertible, followsLinks: Bool) throws(FileError) {
        let path = path.filePath
        guard let status = path.status(followsLinks: followsLinks) else { return }
        try check(path, status, path, in: AT_FDCWD, followsLinks: followsLinks)
    }

    /// The same for files that are inputs of one writing only, and may be written at another time.
    /// - Parameter inputs: regular files, or links to them.
    package static func check(_ path: FilePath, among inputs: [FilePath]) throws(FileError) {
        guard let own = path.status(followsLinks: false).map(Identity.init) else { return }
        if inputs.contains(where: { $0.status().map(Identity.init) == own }) { throw refusal(path) }
    }

    /// - Parameter name: see `contains`.
    static func check(
        _ path: FilePath, _ status: stat, _ name: FilePath, in folder: Int32, followsLinks: Bool = false
    ) throws(FileError) {
        if contains(status, name, in: folder, followsLinks: followsLinks) { throw refusal(path) }
    }

    /// - Parameters:
    ///   - status: of the file.
    ///   - name: in an open folder; empty for the folder itself, which may then be an open file; or a path with `AT_FDCWD`.
    static func contains(_ status: stat, _ name: FilePath, in folder: Int32, followsLinks: Bool = false) -> Bool {
        guard let birth = known.withLock({ $0[Identity(status)] }) else { return false }
        let own = name.withCString { cfiles_birth_time(folder, $0, followsLinks) }
        return birth < 0 || own < 0 || own == birth
    }

    private static func refusal(_ path: FilePath) -> FileError {
        FileError(.alreadyExists, path: path, "is an input, and inputs are never overwritten; name another file")
    }
}
