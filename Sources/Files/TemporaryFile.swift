import Glibc

/// A hidden file beside the place of its final name, which it takes once it is complete (`rename`). Otherwise it is
/// removed with this value; after SIGKILL, by the next run that writes into the folder (`TemporaryNames`).
package struct TemporaryFile: ~Copyable {
    /// Another program may write the file under this name (ffmpeg).
    package let path: FilePath
    /// Open for writing.
    package let descriptor: Int32
    private let target: FilePath

    /// Creates the file, empty.
    /// - Parameters:
    ///   - target: its final path. The folder must exist.
    ///   - mode: its permissions, from which the umask is withheld.
    /// - Throws: `FileError` that names the target.
    package init(for target: some FilePathConvertible, mode: mode_t = 0o666) throws(FileError) {
        self.target = target.filePath
        let folder = target.filePath.parent
        TemporaryNames.clear(folder)
        while true {
            let path = folder / TemporaryNames.new()
            let descriptor = path.withCString {
                open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            }
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw AtomicFile.cannotWrite(target.filePath) }
            guard TemporaryNames.lock(descriptor) else {
                close(descriptor)
                continue
            }
            self.path = path
            self.descriptor = descriptor
            return
        }
    }

    /// Appends bytes.
    /// - Throws: `FileError` that names the target.
    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard writeAll(bytes, to: descriptor) else { throw AtomicFile.cannotWrite(target) }
    }

    /// Gives the finished file its name.
    /// - Parameter replacing: whether an existing file may be replaced. Only a regular file ever is.
    /// - Throws: `FileError`; then nothing is left of the temporary file.
    package consuming func rename(replacing: Bool) throws(FileError) {
        // Some file systems report a full disk only when a file is closed; this one stays open and locked.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, close(copy) == 0 else { throw AtomicFile.cannotWrite(target) }
        try AtomicFile.rename(path, to: target, replacing: replacing)
    }

    deinit {
        // Has no effect once the file has its final name.
        _ = path.withCString { unlink($0) }
        close(descriptor)
    }
}
