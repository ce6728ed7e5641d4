import Glibc

/// Writes files completely or not at all: the bytes go to a new file in the same folder, which is renamed at the end.
package enum AtomicFile {
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced. If not, and one exists (even if it was created a moment
    ///     ago), nothing is changed. Only regular files are ever replaced.
    ///   - mode: the permissions of a new file, from which the umask is withheld.
    ///   - willAppear: is called with what the system says about the complete file just before it gets its name. If it
    ///     throws, the file does not get it.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: some FilePathConvertible, replacing: Bool, mode: mode_t = 0o666,
        willAppear: (stat) throws(FileError) -> Void = { _ in }
    ) throws(FileError) {
        if replacing { try checkIsReplaceable(path) } else { try checkIsFree(path) }
        let file = try TemporaryFile(for: path, mode: mode)
        try file.write(bytes)
        try file.rename(replacing: replacing, willAppear: willAppear)
    }

    /// Writes a file into an open folder, wherever that is by now.
    /// - Parameters:
    ///   - name: without slashes.
    ///   - synchronises: whether the bytes are on the disk before `willAppear` is called.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to name: FilePath, in folder: consuming OpenFolder, replacing: Bool,
        synchronises: Bool = false, willAppear: (stat) throws(FileError) -> Void = { _ in }
    ) throws(FileError) {
        let file = try TemporaryFile(for: name, in: folder)
        try file.write(bytes)
        if synchronises { try file.synchronise() }
        try file.rename(replacing: replacing, willAppear: willAppear)
    }

    /// Writes the bytes of a file that was read into an open folder.
    package static func write(
        _ source: borrowing FileBytes, to name: FilePath, in folder: consuming OpenFolder, replacing: Bool,
        synchronises: Bool = false, willAppear: (stat) throws(FileError) -> Void = { _ in }
    ) throws(FileError) {
        let file = try TemporaryFile(for: name, in: folder)
        try source.withUnsafeBytes { (bytes) throws(FileError) in try file.write(bytes) }
        if synchronises { try file.synchronise() }
        try file.rename(replacing: replacing, willAppear: willAppear)
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

    /// Copies a file byte by byte into an open folder.
    package static func copy(
        _ source: some FilePathConvertible, to name: FilePath, in folder: consuming OpenFolder, replacing: Bool
    ) throws(FileError) {
        try write(FileBytes(path: source), to: name, in: folder, replacing: replacing)
    }

    /// - Throws: `FileError` of kind `alreadyExists` if there is a file or folder of that name.
    package static func checkIsFree(_ path: some FilePathConvertible) throws(FileError) {
        if path.filePath.exists { throw alreadyExists(path.filePath) }
    }

    /// - Throws: `FileError` if it is an input (`InputFiles`), or if something has that name that is no regular file:
    ///   renaming would remove a device or a named pipe. A link is replaced, whatever it points at.
    package static func checkIsReplaceable(_ path: some FilePathConvertible) throws(FileError) {
        let path = path.filePath
        try checkIsReplaceable(path, path.status(followsLinks: false), path, in: AT_FDCWD)
    }

    private static func checkIsReplaceable(
        _ path: FilePath, _ status: stat?, _ name: FilePath, in folder: Int32
    ) throws(FileError) {
        if let status { try InputFiles.check(path, status, name, in: folder) }
        guard let type = status?.type, type != S_IFREG, type != S_IFLNK else { return }
        throw FileError(
            .unwritable, path: path,
            "cannot be written: it is \(type == S_IFDIR ? "a folder" : "a device, a pipe or a socket"), not a file")
    }

    /// Gives a finished file of an open folder its name.
    static func rename(
        _ temporary: FilePath, to name: FilePath, in folder: borrowing OpenFolder, replacing: Bool
    ) throws(FileError) {
        let (path, descriptor) = (folder.path / name, folder.descriptor)
        var code: Int32 = 0
        func call(_ function: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32) -> Bool {
            code = temporary.withCString { temporary in name.withCString { function(temporary, $0) == 0 ? 0 : errno } }
            return code == 0
        }
        if replacing {
            try checkIsReplaceable(path, folder.status(of: name), name, in: descriptor)
            if call({ renameat(descriptor, $0, descriptor, $1) }) { return }
        } else {
            // link() fails if the name exists; rename() would replace the file. The old name goes with the value.
            if call({ linkat(descriptor, $0, descriptor, $1, 0) }) { return }
            // File systems without hard links (FAT): a check just before the renaming has to do.
            if [EPERM, ENOTSUP, ENOSYS].contains(code), folder.status(of: name) == nil,
                call({ renameat(descriptor, $0, descriptor, $1) })
            {
                return
            }
        }
        throw code == EEXIST ? alreadyExists(path) : cannotWrite(path, code)
    }

    private static func alreadyExists(_ path: FilePath) -> FileError {
        FileError(.alreadyExists, path: path, "already exists; --force replaces it")
    }

    static func cannotWrite(_ path: FilePath, _ code: Int32 = errno) -> FileError {
        FileError(.unwritable, path: path, "cannot be written: \(systemErrorText(code))")
    }
}
