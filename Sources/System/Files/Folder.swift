import CFiles
import Glibc

/// Folders of the file system.
package enum Folder {
    package static func exists(_ path: some FilePathConvertible) -> Bool { path.filePath.status()?.type == S_IFDIR }

    /// Creates a folder with all its parents. An existing folder and slashes at the end of the path are no error.
    package static func create(_ path: some FilePathConvertible) throws(FileError) {
        let folder = path.filePath.withoutFinalSlashes
        if exists(folder) { return }
        let parent = folder.parent
        if !parent.isEmpty { try create(parent) }
        // Another thread may have created it meanwhile.
        let code = folder.withCString { mkdir($0, 0o777) == 0 ? 0 : errno }
        if code == 0 || (code == EEXIST && exists(folder)) { return }
        let reason = code == EEXIST ? "a file has that name" : systemErrorText(code)
        throw FileError(.unwritable, path: folder, "the folder cannot be created: \(reason)")
    }

    /// Creates a folder of this name or, where that exists, of this name with the first number behind it that is free, from 2.
    /// - Returns: its path.
    package static func createNew(_ path: FilePath) throws(FileError) -> FilePath {
        var (place, number) = (path, 1)
        while true {
            let code = place.withCString { mkdir($0, 0o777) == 0 ? 0 : errno }
            if code == 0 { return place }
            guard code == EEXIST else {
                throw FileError(.unwritable, path: place, "the folder cannot be created: \(systemErrorText(code))")
            }
            number += 1
            place = numbered(path, number)
        }
    }

    /// The path that `createNew` would take now.
    package static func firstFree(_ path: FilePath) -> FilePath {
        var number = 1
        while numbered(path, number).exists { number += 1 }
        return numbered(path, number)
    }

    /// A path with a number behind its name; the first one has none.
    package static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
        number == 1 ? path : path + " \(number)"
    }

    /// Deletes a folder if nothing is in it.
    package static func deleteIfEmpty(_ path: FilePath) { _ = path.withCString { rmdir($0) } }

    /// Creates the folder that a file will be written to, with all its parents.
    package static func createParent(of path: some FilePathConvertible) throws(FileError) {
        let parent = path.filePath.parent
        if !parent.isEmpty { try create(parent) }
    }

    /// Deletes a folder and its content. Links are removed, not followed, also if they take the place of a folder at
    /// that moment; errors are ignored. Inputs stay (`InputFiles`), with the folders around them,
    /// and so does what is mounted in the folder.
    package static func delete(_ path: some FilePathConvertible) {
        let path = path.filePath.withoutFinalSlashes
        let parent: FilePath = path.parent.isEmpty ? "." : path.parent
        // It need not be readable.
        let descriptor = parent.withCString { open($0, cfiles_folder_flags) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        delete(path.name, in: descriptor)
    }

    static func delete(_ name: FilePath, in parent: Int32) {
        var status = stat()
        guard name.withCString({ fstatat(parent, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0,
            !(status.type == S_IFREG && InputFiles.contains(status, name, in: parent))
        else { return }
        if name.withCString({ unlinkat(parent, $0, 0) }) == 0 { return }
        let descriptor = name.withCString { cfiles_open_same_mount(parent, $0) }
        guard descriptor >= 0 else { return }
        for name in entries(of: descriptor) ?? [] { delete(name, in: descriptor) }
        close(descriptor)
        _ = name.withCString { unlinkat(parent, $0, AT_REMOVEDIR) }
    }

    /// The names in a folder, sorted, without "." and ".."; nil if it cannot be read.
    package static func entries(of path: some FilePathConvertible) -> [FilePath]? {
        var code: Int32 = 0
        return entries(of: path, failure: &code)
    }

    /// Whether a file with a wanted name lies in a folder, or below it. Hidden ones are left out, and links to folders are not
    /// followed.
    /// - Parameters:
    ///   - depth: so many levels of folders are looked into, at least 1.
    ///   - most: so many names are looked at; a folder with more counts as one that has such a file.
    package static func contains(
        _ path: FilePath, depth: Int, most: Int, where isWanted: (FilePath) -> Bool
    ) -> Bool {
        var left = most
        func contains(_ path: FilePath, depth: Int) -> Bool {
            var folders: [FilePath] = []
            for name in entries(of: path) ?? [] where !name.isHidden {
                left -= 1
                if left < 0 { return true }
                let below = path / name
                switch below.status(followsLinks: false)?.type {
                case S_IFDIR: folders.append(below)
                case S_IFLNK where exists(below): break
                default: if isWanted(name) { return true }
                }
            }
            return depth > 1 && folders.contains { contains($0, depth: depth - 1) }
        }
        return contains(path, depth: depth)
    }

    /// The names in a folder, sorted, without "." and "..".
    /// - Throws: `FileError` if it cannot be read.
    package static func list(_ path: some FilePathConvertible) throws(FileError) -> [FilePath] {
        var code: Int32 = 0
        if let names = entries(of: path, failure: &code) { return names }
        throw FileError(.unreadable, path: path, "cannot be listed: \(systemErrorText(code))")
    }

    /// - Parameter failure: gets the `errno` if it cannot be read.
    private static func entries(of path: some FilePathConvertible, failure: inout Int32) -> [FilePath]? {
        let descriptor = path.filePath.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            failure = errno
            return nil
        }
        defer { close(descriptor) }
        return entries(of: descriptor, failure: &failure)
    }

    /// The names in an open folder.
    static func entries(of descriptor: Int32) -> [FilePath]? {
        var code: Int32 = 0
        return entries(of: descriptor, failure: &code)
    }

    private static func entries(of descriptor: Int32, failure: inout Int32) -> [FilePath]? {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else {
            failure = errno
            return nil
        }
        guard let folder = fdopendir(own) else {
            failure = errno
            close(own)
            return nil
        }
        defer { closedir(folder) }
        var names: [FilePath] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in FilePath(bytes: bytes.prefix { $0 != 0 }) }
            if name != "." && name != ".." { names.append(name) }
        }
        failure = errno
        return failure == 0 ? names.sorted() : nil
    }
}
