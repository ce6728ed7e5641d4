import Glibc

/// Writes files completely or not at all: the bytes go to a new file in the same folder, which is renamed at the end.
package enum AtomicFile {
    /// - Parameter replacing: whether an existing file may be replaced. If not, and one exists (even if it was created
    ///   a moment ago), nothing is changed.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, replacing: Bool
    ) throws(FileError) {
        if !replacing { try checkIsFree(path) }
        guard let temporary = TemporaryFile.write(bytes, beside: path, mode: 0o666 & ~Umask.value) else {
            throw cannotWrite(path)
        }
        try rename(temporary, to: path, replacing: replacing)
    }

    /// Writes UTF-8 text.
    package static func write(_ text: String, to path: String, replacing: Bool) throws(FileError) {
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
    package static func copy(_ source: String, to path: String, replacing: Bool) throws(FileError) {
        let file = try FileBytes(path: source)
        try file.withUnsafeBytes { (bytes) throws(FileError) in try write(bytes, to: path, replacing: replacing) }
    }

    /// - Throws: `FileError` of kind `alreadyExists` if there is a file or folder of that name.
    package static func checkIsFree(_ path: String) throws(FileError) {
        if access(path, F_OK) == 0 { throw alreadyExists(path) }
    }

    /// Gives a finished file its name. If that fails, the temporary file is removed.
    package static func rename(_ temporary: String, to path: String, replacing: Bool) throws(FileError) {
        if replacing {
            if Glibc.rename(temporary, path) == 0 { return }
        } else {
            // link() fails if the name exists; rename() would replace the file.
            if link(temporary, path) == 0 {
                unlink(temporary)
                return
            }
            // File systems without hard links (FAT): a check just before the renaming has to do.
            if errno == EPERM || errno == ENOTSUP || errno == ENOSYS, access(path, F_OK) != 0,
                Glibc.rename(temporary, path) == 0
            {
                return
            }
        }
        let code = errno
        unlink(temporary)
        throw code == EEXIST ? alreadyExists(path) : cannotWrite(path, code)
    }

    private static func alreadyExists(_ path: String) -> FileError {
        FileError(.alreadyExists, path: path, "is there already; --force replaces it")
    }

    private static func cannotWrite(_ path: String, _ code: Int32 = errno) -> FileError {
        FileError(.unwritable, path: path, "cannot be written: \(systemErrorText(code))")
    }
}
