import CArchive
import Files

extension MaskArchive {
    /// The checked name of an entry: relative, inside the package, and valid on every system. The check is on the bytes,
    /// which are what is written.
    static func name(_ entry: carchive_entry) throws(Refusal) -> FilePath {
        let bytes = withUnsafeBytes(of: entry.name) { Array($0.prefix { $0 != 0 }) }
        let whole = FilePath(bytes: bytes)
        let shown = FilePath(bytes: bytes.prefix(200)).description
        guard entry.is_name_whole, whole.string != nil, !whole.isEmpty else {
            throw Refusal(
                code: .archiveOddName, entry: shown, reason: "has a name that is too long or not UTF-8")
        }
        let isDrive =
            bytes.count > 1 && bytes[1] == UInt8(ascii: ":") && Unicode.Scalar(bytes[0]).properties.isAlphabetic
        guard !whole.isAbsolute, !isDrive else {
            throw Refusal(code: .archiveAbsolutePath, entry: shown, reason: "is an absolute path")
        }
        // Folders end with a slash.
        var parts = whole.parts
        if parts.last?.isEmpty == true { parts.removeLast() }
        if parts.contains("..") {
            throw Refusal(code: .archiveParentPath, entry: shown, reason: "leads out of the package")
        }
        if parts.isEmpty || parts.contains(where: { !$0.isPortableName }) {
            throw Refusal(code: .archiveOddName, entry: shown, reason: "has a name that is not valid on every system")
        }
        guard parts.count <= maximumDepth else {
            throw Refusal(
                code: .archiveTooDeep, entry: shown, reason: "lies in more than \(maximumDepth - 1) folders, the limit")
        }
        return parts.dropFirst().reduce(parts[0], /)
    }

    /// The names so far. Names that differ only in case (ß and SS, too), or in the spelling of their letters (NFC and NFD), are
    /// refused: not every system distinguishes them.
    struct Seen {
        /// By key, under which equal names fall together: a `String` is equal to its canonical equivalents.
        private var files: [String: FilePath] = [:]
        private var folders: [String: FilePath] = [:]

        /// The case is folded by mapping it there and back: one letter may be two in upper case (ß, ﬁ), two may share one
        /// (k and the sign of Kelvin, σ and ς), and ẞ becomes SS only by way of ß.
        private static func key(_ name: FilePath) -> String {
            (name.string ?? name.description).lowercased().uppercased().lowercased()
        }

        mutating func note(file name: FilePath) throws(Refusal) {
            let key = Self.key(name)
            if let other = files[key] {
                if other == name {
                    throw Refusal(code: .archiveDuplicate, entry: name.description, reason: "is there twice")
                }
                throw Self.collision(name, other)
            }
            if folders[key] != nil { throw Self.isInTheWay(name) }
            files[key] = name
            if !name.parent.isEmpty { try note(folder: name.parent) }
        }

        mutating func note(folder name: FilePath) throws(Refusal) {
            let key = Self.key(name)
            if files[key] != nil { throw Self.isInTheWay(name) }
            if let other = folders[key], other != name { throw Self.collision(name, other) }
            folders[key] = name
            if !name.parent.isEmpty { try note(folder: name.parent) }
        }

        private static func isInTheWay(_ name: FilePath) -> Refusal {
            Refusal(code: .archiveFileInTheWay, entry: name.description, reason: "is both a file and a folder")
        }

        private static func collision(_ name: FilePath, _ other: FilePath) -> Refusal {
            Refusal(
                code: .archiveCollidingCase, entry: name.description,
                reason: "differs from '\(other)' only in upper and lower case, or in the spelling of its letters")
        }
    }
}
