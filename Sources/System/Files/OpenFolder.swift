import CFiles
import Glibc

/// An open folder, and what lies beneath it. Names are checked, and the system refuses to leave the folder as well,
/// also if a part of the path becomes a link at that moment (`openat2`; openat2(2), `RESOLVE_BENEATH`).
package struct OpenFolder: ~Copyable {
    package let path: FilePath
    let descriptor: Int32

    /// - Throws: `FileError` if it cannot be opened.
    package init(_ path: some FilePathConvertible) throws(FileError) {
        self.path = path.filePath
        descriptor = path.filePath.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let code = errno
        guard descriptor >= 0 else {
            throw FileError(.unreadable, path: path, "cannot be read: \(systemErrorText(code))")
        }
    }

    /// Takes over a descriptor.
    private init(_ descriptor: Int32, _ path: FilePath) {
        self.path = path
        self.descriptor = descriptor
    }

    /// The folder that a file lies in, or will lie in.
    /// - Throws: `FileError` that names the file.
    package init(ofFile file: some FilePathConvertible) throws(FileError) {
        path = file.filePath.parent
        // A folder may be written to that must not be listed.
        descriptor = (path.isEmpty ? "." : path).withCString { Glibc.open($0, cfiles_folder_flags) }
        let code = errno
        guard descriptor >= 0 else { throw AtomicFile.cannotWrite(file.filePath, code) }
    }

    deinit { close(descriptor) }

    /// Opens a regular file for reading. Links are followed as long as they stay beneath the folder.
    /// - Throws: `FileError`.
    package borrowing func open(_ name: FilePath) throws(FileError) -> RegularFile {
        let path = path / name
        guard name.staysBeneath else { throw Self.leadsOut(path) }
        let found = name.withCString { cfiles_open_beneath(descriptor, $0, RegularFile.flags, 0, true) }
        if found < 0, errno == EXDEV { throw Self.leadsOut(path) }
        return try RegularFile(found, path)
    }

    /// Writes a new file and the folders that it lies in. Links are not followed.
    /// - Throws: `FileError`, also if there is a file of that name.
    package borrowing func create(_ name: FilePath, _ bytes: [UInt8]) throws(FileError) {
        let path = path / name
        guard name.staysBeneath else { throw Self.leadsOut(path) }
        try createParent(of: name)
        let file = name.withCString {
            cfiles_open_beneath(descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666, false)
        }
        let code = errno
        guard file >= 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText(code))")
        }
        var failure: Int32 = bytes.withUnsafeBytes({ writeAll($0, to: file) }) ? 0 : errno
        // Some file systems report a full disk only when the file is closed.
        if close(file) != 0, failure == 0 { failure = errno }
        if failure != 0 {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText(failure))")
        }
    }

    /// Opens the folder that a file beneath this one lies in, and makes it if none exists. Links are not followed.
    /// - Throws: `FileError` that names the file, and the link if there is one.
    package borrowing func folder(of name: FilePath) throws(FileError) -> OpenFolder {
        guard name.staysBeneath else { throw Self.leadsOut(path / name) }
        try checkLinks(above: name)
        try createParent(of: name)
        let parent = name.parent
        let found = folderDescriptor(parent)
        let code = errno
        guard found >= 0 else { throw AtomicFile.cannotWrite(path / name, code) }
        return OpenFolder(found, parent.isEmpty ? path : path / parent)
    }

    /// - Throws: `FileError` that names the first link in the path of a file beneath this folder.
    package borrowing func checkLinks(above name: FilePath) throws(FileError) {
        var parts: FilePath = ""
        for part in name.parent.parts {
            parts = parts / part
            guard let type = status(of: parts)?.type else { return }
            guard type == S_IFLNK else { continue }
            throw FileError(
                .unwritable, path: path / name,
                "is not written: \(path / parts) is a link, and links among the results are not followed; put a folder "
                    + "in its place, or mount one there")
        }
    }

    /// The status of a file in the folder; a link counts as itself.
    package borrowing func status(of name: FilePath) -> stat? {
        var status = stat()
        return name.withCString { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status : nil
    }

    /// Removes a file in the folder; a link counts as itself.
    /// - Parameter name: without slashes.
    /// - Returns: whether it is gone.
    package borrowing func remove(_ name: FilePath) -> Bool { name.withCString { unlinkat(descriptor, $0, 0) } == 0 }

    /// The names in it; nil if it must not be listed.
    var entries: [FilePath]? {
        let listed = ".".withCString { openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard listed >= 0 else { return nil }
        defer { close(listed) }
        return Folder.entries(of: listed)
    }

    /// A new descriptor of a folder beneath this one, or of this one; negative if none exists, and for links.
    private borrowing func folderDescriptor(_ folder: FilePath) -> Int32 {
        folder.isEmpty
            ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            : folder.withCString { cfiles_open_beneath(descriptor, $0, cfiles_folder_flags, 0, false) }
    }

    private borrowing func createParent(of name: FilePath) throws(FileError) {
        let parent = name.parent
        guard !parent.isEmpty else { return }
        let known = folderDescriptor(parent)
        if known >= 0 {
            close(known)
            return
        }
        try createParent(of: parent)
        let upper = folderDescriptor(parent.parent)
        // Another thread may have made it meanwhile.
        let code = upper < 0 ? errno : parent.name.withCString { mkdirat(upper, $0, 0o777) == 0 ? 0 : errno }
        if upper >= 0 { close(upper) }
        guard upper >= 0, code == 0 || code == EEXIST else {
            throw FileError(
                .unwritable, path: path / parent, "the folder cannot be created: \(systemErrorText(code))")
        }
    }

    private static func leadsOut(_ path: FilePath) -> FileError {
        FileError(.unreadable, path: path, "leads out of the folder")
    }
}
