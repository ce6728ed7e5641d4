import Glibc

extension FilePath {
    /// The status of the file; nil if it does not exist or cannot be accessed.
    /// - Parameter followsLinks: whether a link counts as what it points at.
    package func status(followsLinks: Bool = true) -> stat? {
        var code: Int32 = 0
        return status(followsLinks: followsLinks, failure: &code)
    }

    /// The status of the file; nil if it does not exist or cannot be accessed.
    /// - Parameters:
    ///   - followsLinks: whether a link counts as what it points at.
    ///   - failure: gets the `errno` if it cannot be asked.
    package func status(followsLinks: Bool = true, failure: inout Int32) -> stat? {
        var status = stat()
        let code = withCString { (followsLinks ? stat($0, &status) : lstat($0, &status)) == 0 ? 0 : errno }
        if code == 0 { return status }
        failure = code
        return nil
    }

    /// Whether something has that name; a link counts as what it points at.
    package var exists: Bool { isAccessible(F_OK) }

    /// As `access` says: `F_OK`, `R_OK`, `W_OK`, `X_OK`.
    package func isAccessible(_ mode: Int32) -> Bool { obstacle(to: mode) == 0 }

    /// Whether nothing has that name. Something that cannot be looked at may be there.
    package var isMissing: Bool { obstacle(to: F_OK) == ENOENT }

    /// The `errno` of `access`; 0: none. It is returned, because any memory that is freed may change `errno`.
    private func obstacle(to mode: Int32) -> Int32 { withCString { access($0, mode) == 0 ? 0 : errno } }

    /// The path without links; nil if it does not exist.
    package var resolved: FilePath? {
        var code: Int32 = 0
        return resolved(failure: &code)
    }

    /// The path without links; nil if it does not exist.
    /// - Parameter failure: gets the `errno` then.
    package func resolved(failure: inout Int32) -> FilePath? {
        guard let result = withCString({ realpath($0, nil) }) else {
            failure = errno
            return nil
        }
        defer { free(result) }
        return FilePath(cString: result)
    }

    /// The path from the root on, with all its links; nil if there is no working folder.
    package var absolute: FilePath? {
        if isAbsolute { return self }
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return FilePath(cString: folder) / self
    }

    /// Whether both name one file or folder, in whatever spelling and through whatever links.
    package func isSameFile(as other: FilePath) -> Bool {
        if self == other { return true }
        guard let one = status(), let two = other.status() else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Of an environment variable; nil if it is missing or empty.
    package init?(environment name: String) {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        self.init(cString: value)
    }
}

extension FilePath {
    /// For programs and libraries that take only text.
    /// - Throws: `FileError` if it is not UTF-8.
    package func text() throws(FileError) -> String {
        if let string { return string }
        throw FileError(
            .unreadable, path: self, "has a name that is not UTF-8 and cannot be passed to other programs")
    }
}

extension stat {
    /// `S_IFREG`, `S_IFDIR`, …
    package var type: mode_t { st_mode & S_IFMT }
}
