import Glibc

/// A hidden file beside the place of its final name, which it takes once it is complete (`rename`). Otherwise it is
/// removed with this value; after SIGKILL, by the next run that writes into the folder (`TemporaryNames`).
package struct TemporaryFile: ~Copyable {
    /// Another program may write the file under this name (ffmpeg).
    package let path: FilePath
    /// Open for writing.
    package let descriptor: Int32
    private let name: FilePath
    private let folder: OpenFolder
    private var target: FilePath { folder.path / name }

    /// Creates the file, empty.
    /// - Parameters:
    ///   - target: its final path. The folder must exist.
    ///   - mode: its permissions, from which the umask is withheld.
    /// - Throws: `FileError` that names the target.
    package init(for target: some FilePathConvertible, mode: mode_t = 0o666) throws(FileError) {
        let target = target.filePath
        let folder = try OpenFolder(ofFile: target)
        let start = (target.bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        try self.init(for: FilePath(bytes: target.bytes[start...]), in: folder, mode: mode)
    }

    /// Creates the file in an open folder, wherever that is by now.
    /// - Parameter name: the final name, without slashes.
    package init(for name: FilePath, in folder: consuming OpenFolder, mode: mode_t = 0o666) throws(FileError) {
        self.name = name
        TemporaryNames.clear(folder)
        while true {
            let temporary = TemporaryNames.new()
            let descriptor = temporary.withCString {
                openat(folder.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            }
            let code = errno
            if descriptor < 0, code == EEXIST { continue }
            guard descriptor >= 0 else { throw AtomicFile.cannotWrite(folder.path / name, code) }
            guard let status = TemporaryNames.lock(descriptor) else {
                close(descriptor)
                continue
            }
            let own = TemporaryNames.name(of: status)
            guard
                temporary.withCString({ temporary in
                    own.withCString { renameat(folder.descriptor, temporary, folder.descriptor, $0) }
                }) == 0
            else {
                let error = AtomicFile.cannotWrite(folder.path / name)
                _ = temporary.withCString { unlinkat(folder.descriptor, $0, 0) }
                close(descriptor)
                throw error
            }
            path = folder.path / own
            self.descriptor = descriptor
            self.folder = folder
            return
        }
    }

    /// Appends bytes.
    /// - Throws: `FileError` that names the target.
    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard writeAll(bytes, to: descriptor) else { throw AtomicFile.cannotWrite(target) }
    }

    /// Waits until the bytes are on the disk.
    /// - Throws: `FileError` that names the target.
    package borrowing func synchronise() throws(FileError) {
        guard fdatasync(descriptor) == 0 else { throw AtomicFile.cannotWrite(target) }
    }

    /// Gives the finished file its name.
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced. Only a regular file ever is.
    ///   - willAppear: see `AtomicFile.write`.
    /// - Throws: `FileError`; then nothing is left of the temporary file.
    package consuming func rename(
        replacing: Bool, willAppear: (stat) throws(FileError) -> Void = { _ in }
    ) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AtomicFile.cannotWrite(target) }
        try willAppear(status)
        // Some file systems report a full disk only when a file is closed; this one stays open and locked.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, close(copy) == 0 else { throw AtomicFile.cannotWrite(target) }
        try AtomicFile.rename(path.name, to: name, in: folder, replacing: replacing)
    }

    /// Whether temporary files have such names. Those that no process holds are removed.
    package static func isName(_ name: FilePath) -> Bool { TemporaryNames.isOne(name) }

    /// Whether a folder, of whatever path, has such a name, or lies in one that has.
    package static func hasName(in folder: FilePath) -> Bool {
        let place: FilePath = folder.isEmpty ? "." : folder
        guard let resolved = place.withCString({ realpath($0, nil) }) else { return true }
        defer { free(resolved) }
        return TemporaryNames.isPart(of: resolved)
    }

    deinit {
        // Has no effect once the file has its final name.
        _ = path.name.withCString { unlinkat(folder.descriptor, $0, 0) }
        close(descriptor)
    }
}
