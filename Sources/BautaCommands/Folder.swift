import Glibc
import ImageFiles

/// Folders of the file system.
enum Folder {
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes the folder that a file is to go into, with all its parents.
    static func make(for path: String) throws(PictureError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        if exists(folder) { return }
        try make(for: folder)
        // Another worker may have been faster.
        if mkdir(folder, 0o777) == 0 || (errno == EEXIST && exists(folder)) { return }
        let reason = errno == EEXIST ? "a file has that name" : String(cString: strerror(errno))
        throw PictureError(.unwritable, path: folder, "the folder cannot be made: \(reason)")
    }

    /// Deletes it with all that is in it; links are not followed.
    static func delete(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in entries(of: path) ?? [] { delete("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// The names in it, sorted, without "." and ".."; nil when the folder cannot be read (errno says why).
    static func entries(of path: String) -> [String]? {
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
