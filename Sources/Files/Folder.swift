import Glibc

/// Folders of the file system.
package enum Folder {
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates a folder with all its parents. An existing folder and slashes at the end of the path are no error.
    package static func create(_ path: String) throws(FileError) {
        let folder = path.last == "/" ? path : path + "/"
        try createParent(of: folder)
    }

    /// Creates the folder that a file will be written to, with all its parents.
    package static func createParent(of path: String) throws(FileError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        if exists(folder) { return }
        try createParent(of: folder)
        // Another thread may have created it meanwhile.
        if mkdir(folder, 0o777) == 0 || (errno == EEXIST && exists(folder)) { return }
        let reason = errno == EEXIST ? "a file has that name" : systemErrorText()
        throw FileError(.unwritable, path: folder, "the folder cannot be made: \(reason)")
    }

    /// Deletes a folder and its content. Links are removed, not followed; errors are ignored.
    package static func delete(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in entries(of: path) ?? [] { delete("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// The names in a folder, sorted, without "." and ".."; nil if it cannot be read (`errno` holds the reason).
    package static func entries(of path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
