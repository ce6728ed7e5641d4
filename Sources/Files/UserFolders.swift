import Glibc

/// The user's folders, by the XDG Base Directory Specification.
package enum UserFolders {
    /// `$XDG_DATA_HOME`, otherwise `~/.local/share`.
    package static var data: String {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        let folder = variable("XDG_DATA_HOME")
        return folder.hasPrefix("/") ? folder : variable("HOME") + "/.local/share"
    }
}
