/// The user's folders, by the XDG Base Directory Specification.
package enum UserFolders {
    /// `$XDG_DATA_HOME`, otherwise `~/.local/share`.
    package static var data: FilePath {
        if let folder = FilePath(environment: "XDG_DATA_HOME"), folder.isAbsolute { return folder }
        return (FilePath(environment: "HOME") ?? "/") / ".local/share"
    }

    /// `$XDG_CONFIG_HOME`, otherwise `~/.config`; nil if there is no home folder.
    package static var configuration: FilePath? {
        if let folder = FilePath(environment: "XDG_CONFIG_HOME"), folder.isAbsolute { return folder }
        return FilePath(environment: "HOME").map { $0 / ".config" }
    }

    /// `$XDG_CACHE_HOME`, otherwise `~/.cache`; nil if there is no home folder.
    package static var cache: FilePath? {
        if let folder = FilePath(environment: "XDG_CACHE_HOME"), folder.isAbsolute { return folder }
        return FilePath(environment: "HOME").map { $0 / ".cache" }
    }
}
