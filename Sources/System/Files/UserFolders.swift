/// The user's folders, by the XDG Base Directory Specification. Relative paths are not taken: they would be other folders in
/// each working folder.
package enum UserFolders {
    /// `$XDG_DATA_HOME`, otherwise `~/.local/share`; nil if there is no home folder.
    package static var data: FilePath? { folder("XDG_DATA_HOME", ".local/share") }

    /// `$XDG_CONFIG_HOME`, otherwise `~/.config`; nil if there is no home folder.
    package static var configuration: FilePath? { folder("XDG_CONFIG_HOME", ".config") }

    /// `$XDG_CACHE_HOME`, otherwise `~/.cache`; nil if there is no home folder.
    package static var cache: FilePath? { folder("XDG_CACHE_HOME", ".cache") }

    /// The desktop's folder for videos, or else for pictures. Nil if neither exists.
    package static var recordings: FilePath? { videos ?? pictures }

    /// The desktop's folder for videos; nil if it does not exist.
    package static var videos: FilePath? { desktop("XDG_VIDEOS_DIR", "Videos") }

    /// The desktop's folder for pictures; nil if it does not exist.
    package static var pictures: FilePath? { desktop("XDG_PICTURES_DIR", "Pictures") }

    /// The desktop's folder for downloaded files; nil if it does not exist.
    package static var downloads: FilePath? { desktop("XDG_DOWNLOAD_DIR", "Downloads") }

    /// A folder that `user-dirs.dirs` of xdg-user-dirs names; where it names none, one with the usual name.
    private static func desktop(_ variable: String, _ usual: FilePath) -> FilePath? {
        if let named = named(variable) { return named }
        guard let home = FilePath(environment: "HOME"), home.isAbsolute, Folder.exists(home / usual) else { return nil }
        return home / usual
    }

    private static func named(_ variable: String) -> FilePath? {
        guard let configuration, let home = FilePath(environment: "HOME"), home.isAbsolute,
            let file = try? FileBytes(path: configuration / "user-dirs.dirs", maximumCount: 1 << 16)
        else { return nil }
        let text = file.withUnsafeBytes { Array($0) }
        let folder = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            FilePath(assignedTo: variable, in: line, home: home)
        }.last
        // A desktop without such a folder names the home folder.
        return folder.flatMap { $0 != home && Folder.exists($0) ? $0 : nil }
    }

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

extension FilePath {
    /// A path as a person types it: `~`, alone or in front of a slash, is the home folder, as in a shell.
    package init(typed text: String) {
        let path = FilePath(text)
        guard path.parts.first == "~", let home = FilePath(environment: "HOME"), home.isAbsolute else {
            self = path
            return
        }
        let rest = FilePath(bytes: path.bytes.dropFirst(2))
        self = rest.isEmpty ? home : home / rest
    }

    /// - Parameter line: `NAME="$HOME/folder"`, or with an absolute path; a backslash stands before what the shell would take for
    ///   something else. Nil: another line, or no absolute path.
    fileprivate init?(assignedTo name: String, in line: ArraySlice<UInt8>, home: FilePath) {
        let start = Array("\(name)=\"".utf8)
        let line = line.drop { $0 == UInt8(ascii: " ") }
        guard line.starts(with: start), let end = line.lastIndex(of: UInt8(ascii: "\"")),
            end >= line.startIndex + start.count
        else { return nil }
        var value: [UInt8] = []
        var isEscaped = false
        for byte in line[(line.startIndex + start.count)..<end] {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { value.append(byte) }
        }
        let variable = Array("$HOME".utf8)
        if value.starts(with: variable) { value.replaceSubrange(..<variable.count, with: home.bytes) }
        guard value.first == UInt8(ascii: "/"), !value.contains(0) else { return nil }
        self = FilePath(bytes: value).withoutFinalSlashes
    }
}
