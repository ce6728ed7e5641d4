import Files
import Glibc

/// A file that ffmpeg writes.
///
/// This program creates it and ffmpeg gets the descriptor, so that no name is taken for an option, a protocol or a
/// pattern, and so that of two programs with the same file one is refused. The file is locked while it is written, and a
/// temporary one until it is renamed.
package final class ClipFile: Sendable {
    package let path: FilePath
    let descriptor: Int32
    /// False for a named pipe or a device.
    var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
    /// Whether the file is removed if nothing has been written to it.
    private let isRemovedIfEmpty: Bool

    /// - Parameter replacing: whether an existing file is written over.
    /// - Throws: `FileError`; of kind `alreadyExists` if there is one, even if it was created a moment ago.
    package init(_ path: some FilePathConvertible, replacing: Bool) throws(FileError) {
        let path = path.filePath
        self.path = path
        isRemovedIfEmpty = true
        try InputFiles.check(path, followsLinks: true)
        // Without O_NONBLOCK, a named pipe would wait for its reader.
        let mode = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (replacing ? 0 : O_EXCL)
        descriptor = path.withCString { open($0, mode, 0o666) }
        guard descriptor >= 0 else {
            if errno == EEXIST { try AtomicFile.checkIsFree(path) }
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw FileError(.unwritable, path: path, "another program is writing to it")
        }
    }

    /// A temporary file, which is locked and removed as such.
    /// - Throws: `FileError` if no more files can be opened.
    package init(_ temporary: borrowing TemporaryFile) throws(FileError) {
        path = temporary.path
        isRemovedIfEmpty = false
        descriptor = fcntl(temporary.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Nobody writes to the file any more. Another child process that is being started just now has a copy of the descriptor
    /// for a moment, with which the lock would go on. A temporary file stays locked until it is renamed.
    func unlock() { if isRemovedIfEmpty { flock(descriptor, LOCK_UN) } }

    /// Whether its name leads to another file by now, or to none. A temporary file is renamed wherever its folder is, which
    /// fails by itself.
    var hasLostItsName: Bool {
        var own = stat()
        guard isRemovedIfEmpty, fstat(descriptor, &own) == 0, own.type == S_IFREG else { return false }
        return !isNamed(own)
    }

    private func isNamed(_ own: stat) -> Bool {
        path.status().map { own.st_ino == $0.st_ino && own.st_dev == $0.st_dev } ?? false
    }

    /// Removes the file if nothing has been written to it.
    deinit {
        var own = stat()
        if isRemovedIfEmpty, fstat(descriptor, &own) == 0, own.st_size == 0, own.type == S_IFREG, isNamed(own) {
            _ = path.withCString { unlink($0) }
        }
        close(descriptor)
    }
}
