import Files
import Glibc

/// An advisory lock on a package's folder, held until it is released. Prevents a second editor on the same package.
final class PackageLock {
    private let descriptor: Int32

    /// - Throws: `FileError` if the folder cannot be opened, or is locked.
    init(_ folder: FilePath) throws(FileError) {
        descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            throw FileError(.unreadable, path: folder, "cannot be opened: \(systemErrorText())")
        }
        // On file systems without locks, the package is not protected.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            Glibc.close(descriptor)
            throw FileError(.unwritable, path: folder, "is already open in another editor window")
        }
    }

    deinit { Glibc.close(descriptor) }
}
