import CArchive

extension MaskArchive {
    /// The checked name of an entry: relative, inside the package, and valid on every system.
    static func name(_ entry: carchive_entry) throws(Refusal) -> String {
        let bytes = withUnsafeBytes(of: entry.name) { Array($0.prefix { $0 != 0 }) }
        guard entry.is_name_whole, let whole = String(validating: bytes, as: UTF8.self), !whole.isEmpty else {
            throw Refusal(
                code: .archiveOddName, entry: String(decoding: bytes.prefix(60), as: UTF8.self),
                reason: "has a name that is too long or not UTF-8")
        }
        guard !whole.hasPrefix("/"), !(whole.dropFirst().first == ":" && whole.first?.isLetter == true) else {
            throw Refusal(code: .archiveAbsolutePath, entry: whole, reason: "is an absolute path")
        }
        // Folders end with a slash.
        var parts = whole.split(separator: "/", omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        if parts.contains("..") {
            throw Refusal(code: .archiveParentPath, entry: whole, reason: "leads out of the package")
        }
        for part in parts {
            let isOdd =
                part.isEmpty || part == "." || part.utf8.count > 200 || part.hasSuffix(" ") || part.hasSuffix(".")
                || part.unicodeScalars.contains {
                    $0.value < 32 || $0.value == 127 || "\\:*?\"<>|".unicodeScalars.contains($0)
                }
            if isOdd {
                throw Refusal(
                    code: .archiveOddName, entry: whole, reason: "has a name that not every system can have")
            }
        }
        guard parts.count <= maximumDepth else {
            throw Refusal(
                code: .archiveTooDeep, entry: whole, reason: "lies in more than \(maximumDepth - 1) folders, the limit")
        }
        return parts.joined(separator: "/")
    }

    /// The names so far. Names that differ only in case are refused: not every system distinguishes them.
    struct Seen {
        private var files: [String: String] = [:]
        private var folders: [String: String] = [:]

        mutating func note(file name: String) throws(Refusal) {
            let key = name.lowercased()
            if let other = files[key] {
                throw other == name
                    ? Refusal(code: .archiveDuplicate, entry: name, reason: "is there twice")
                    : Refusal(
                        code: .archiveCollidingCase, entry: name,
                        reason: "differs from '\(other)' in upper and lower case only")
            }
            if folders[key] != nil {
                throw Refusal(code: .archiveFileInTheWay, entry: name, reason: "is both a file and a folder")
            }
            files[key] = name
            if let slash = name.lastIndex(of: "/") { try note(folder: String(name[..<slash])) }
        }

        mutating func note(folder name: String) throws(Refusal) {
            let key = name.lowercased()
            if files[key] != nil {
                throw Refusal(code: .archiveFileInTheWay, entry: name, reason: "is both a file and a folder")
            }
            if let other = folders[key], other != name {
                throw Refusal(
                    code: .archiveCollidingCase, entry: name,
                    reason: "differs from '\(other)' in upper and lower case only")
            }
            folders[key] = name
            if let slash = name.lastIndex(of: "/") { try note(folder: String(name[..<slash])) }
        }
    }
}
