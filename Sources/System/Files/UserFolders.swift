/// The user's folders, by the XDG Base Directory Specification. Relative paths are not taken: they would be other folders in
/// each working folder.
package enum UserFolders {
    /// `$XDG_DATA_HOME`, otherwise `~/.local/share`; nil if there is no home folder.
    package static var data: FilePath? { folder("XDG_DATA_HOME", ".local/share") }

    /// `$XDG_CONFIG_HOME`, otherwise `~/.config`; nil if there is no home folder.
    package static var configuration: FilePath? { folder("XDG_CONFIG_HOME", ".config") }

    /// `$XDG_CACHE_HOME`, otherwise `~/.cache`; nil if there is no home folder.
    package static var cache: FilePath? { folder("XDG_CACHE_HOME", ".cache") }

    private static func folder(_ variable: String, _ name: FilePath) -> FilePath? {
        if let folder = FilePath(environment: variable), folder.isAbsolute { return folder }
        guard let home = FilePath(environment: "HOME"), home.isAbsolute else { return nil }
        return home / name
    }

    /// The error where something needs a home folder, and there is none.
    package static func missing(_ kind: FileError.Kind) -> FileError {
        FileError(kind, path: "HOME", "is not the absolute path of a home folder; Bauta keeps your data there")
    }
}
