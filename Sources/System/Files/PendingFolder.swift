import Glibc

/// A hidden folder that is filled and then takes its final name, or is removed with this value; after SIGKILL, by the
/// next run that writes beside it (`TemporaryNames`).
package struct PendingFolder: ~Copyable {
    /// Until `rename`.
    package private(set) var path: FilePath
    private let descriptor: Int32

    /// Creates the folder, empty, in another one.
    /// - Throws: `FileError`.
    package init(in parent: FilePath) throws(FileError) {
        if let parent = try? OpenFolder(parent.isEmpty ? "." : parent) { TemporaryNames.clear(parent) }
        while true {
            let path = parent / TemporaryNames.new()
            guard path.withCString({ mkdir($0, 0o777) }) == 0 else {
                if errno == EEXIST { continue }
                let shown: FilePath = parent.isEmpty ? "." : parent
                throw FileError(.unwritable, path: shown, "cannot create a folder in it: \(systemErrorText())")
            }
            let descriptor = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
            // Until it is locked, another program that clears away what is left of runs may take it for such.
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else {
                let reason = systemErrorText()
                _ = path.withCString { rmdir($0) }
                throw FileError(.unwritable, path: path, "the new folder cannot be opened: \(reason)")
            }
            guard let status = TemporaryNames.lock(descriptor) else {
                close(descriptor)
                continue
            }
            let own = parent / TemporaryNames.name(of: status)
            do throws(FileError) {
                try FolderRenaming.rename(path, to: own)
            } catch {
                _ = path.withCString { rmdir($0) }
                close(descriptor)
                throw error
            }
            self.path = own
            self.descriptor = descriptor
            return
        }
    }

    /// Gives the finished folder its name.
    /// - Parameter replacing: whether an existing folder may be replaced: in one step where the file system can do that,
    ///   so that there is always one of the two.
    /// - Throws: `FileError`.
    package consuming func rename(to target: FilePath, replacing: Bool) throws(FileError) {
        try FolderRenaming.rename(&path, to: target, replacing: replacing)
    }

    deinit {
        // After an exchange, the old folder has this name.
        Folder.delete(path)
        close(descriptor)
    }
}
