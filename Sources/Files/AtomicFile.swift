import Glibc

/// Writes files completely or not at all: the bytes go to a new file in the same folder, which is renamed at the end.
package enum AtomicFile {
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced. If not, and one exists (even if it was created a moment
    ///     ago), nothing is changed. Only regular files are ever replaced.
    ///   - mode: the permissions of a new file, from which the umask is withheld.
    ///   - willAppear: is called with what the system says about the complete file just before it gets its name.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: some FilePathConvertible, replacing: Bool, mode: mode_t = 0o666,
        willAppear: (stat) -> Void = { _ in }
    ) throws(FileError) {
        if replacing { try checkIsReplaceable(path) } else { try checkIsFree(path) }
        let file = try TemporaryFile(for: path, mode: mode)
        try file.write(bytes)
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw cannotWrite(path.filePath) }
        willAppear(status)
        try file.rename(replacing: replacing)
    }

    /// Writes UTF-8 text.
    package static func write(
        _ text: String, to path: some FilePathConvertible, replacing: Bool
    ) throws(FileError) {
        let bytes = Array(text.utf8)
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) {
                try write(bytes, to: path, replacing: replacing)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Copies a file byte by byte.
    package static func copy(
        _ source: some FilePathConvertible, to path: some FilePathConvertible, replacing: Bool,
        willAppear: (stat) -> Void = { _ in }
    ) throws(FileError) {
        let file = try FileBytes(path: source)
        try file.withUnsafeBytes { (bytes) throws(FileError) in
            try write(bytes, to: path, replacing: replacing, willAppear: willAppear)
        }
    }

    /// - Throws: `FileError` of kind `alreadyExists` if there is a file or folder of that name.
    package static func checkIsFree(_ path: some FilePathConvertible) throws(FileError) {
        if path.filePath.exists { throw alreadyExists(path.filePath) }
    }

    /// - Throws: `FileError` if it is an input (`InputFiles`), or if something has that name that is no regular file:
    ///   renaming would remove a device or a named pipe. A link is replaced, whatever it points at.
    package static func checkIsReplaceable(_ path: some FilePathConvertible) throws(FileError) {
        try InputFiles.check(path, followsLinks: false)
        guard let type = path.filePath.status(followsLinks: false)?.type, type != S_IFREG, type != S_IFLNK else {
            return
        }
        throw FileError(
            .unwritable, path: path,
            "cannot be written: it is \(type == S_IFDIR ? "a folder" : "a device, a pipe or a socket"), not a file")
    }

    /// Gives a finished file its name.
    static func rename(_ temporary: FilePath, to path: FilePath, replacing: Bool) throws(FileError) {
        if replacing {
            try checkIsReplaceable(path)
            if call(Glibc.rename, temporary, path) { return }
        } else {
            // link() fails if the name exists; rename() would replace the file. The old name goes with the value.
            if call(link, temporary, path) { return }
            // File systems without hard links (FAT): a check just before the renaming has to do.
            if errno == EPERM || errno == ENOTSUP || errno == ENOSYS, !path.exists, call(Glibc.rename, temporary, path)
            {
                return
            }
        }
        throw errno == EEXIST ? alreadyExists(path) : cannotWrite(path)
    }

    private static func call(
        _ function: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32, _ a: FilePath, _ b: FilePath
    ) -> Bool { a.withCString { a in b.withCString { function(a, $0) } } == 0 }

    private static func alreadyExists(_ path: FilePath) -> FileError {
        FileError(.alreadyExists, path: path, "is there already; --force replaces it")
    }

    static func cannotWrite(_ path: FilePath, _ code: Int32 = errno) -> FileError {
        FileError(.unwritable, path: path, "cannot be written: \(systemErrorText(code))")
    }
}
