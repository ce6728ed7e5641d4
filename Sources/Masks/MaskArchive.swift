import CArchive

/// A mask package as one file: a zip archive (`.bauta`) of its files, the same to the bit whenever they are the same.
package enum MaskArchive {
    package struct File: Equatable, Sendable {
        /// Its place in the package, with "/" between folders.
        package let name: String
        package let bytes: [UInt8]

        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// Why an archive is refused. Archives come from strangers: everything that could do harm is.
    package struct Refusal: Error, Equatable, CustomStringConvertible {
        package let code: MaskProblem.Code
        /// The entry at fault.
        package let entry: String?
        package let reason: String

        package var description: String { "[\(code.rawValue)] \(entry.map { "'\($0)': " } ?? "")\(reason)" }
    }

    /// Why an archive cannot be made.
    package struct WritingFailure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let maximumFiles = 512
    package static let maximumFileSize = 64 << 20
    package static let maximumSize = 256 << 20
    package static let maximumDepth = 4
    /// Of the archive itself.
    package static let maximumArchiveSize = 256 << 20

    // MARK: Writing

    /// - Throws: `WritingFailure` when there is no memory for it, or no libarchive.
    package static func pack(_ files: [File]) throws(WritingFailure) -> [UInt8] {
        try archive(files.sorted { $0.name < $1.name })
    }

    /// A zip archive of files in the order given.
    /// - Parameter stored: names of those that are not compressed.
    package static func archive(_ files: [File], stored: Set<String> = []) throws(WritingFailure) -> [UInt8] {
        var message = [CChar](repeating: 0, count: Int(CARCHIVE_MESSAGE))
        guard let writer = carchive_create() else {
            throw WritingFailure(
                description: "no archive can be made: libarchive (Debian's libarchive13) is missing, or memory")
        }
        defer { carchive_discard(writer) }
        for file in files {
            let isAdded = file.bytes.withUnsafeBytes {
                carchive_add(
                    writer, file.name, $0.baseAddress, $0.count, stored.contains(file.name), &message)
            }
            guard isAdded else { throw WritingFailure(description: "\(file.name): cannot be packed: \(text(message))") }
        }
        var data: UnsafeRawPointer?
        var size = 0
        guard carchive_finish(writer, &data, &size, &message) else {
            throw WritingFailure(description: "the archive cannot be ended: \(text(message))")
        }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    }

    // MARK: Reading

    /// All files of an archive, checked: none leads out of the package, none is a link, all sizes have limits.
    package static func unpack(_ archive: [UInt8]) throws(Refusal) -> [File] {
        let files = try files(in: archive)
        guard files.contains(where: { $0.name == MaskLoader.manifestName }) else {
            throw Refusal(
                code: .archiveNoManifest, entry: nil,
                reason: "has no \(MaskLoader.manifestName) at its top; it is no mask")
        }
        return files
    }

    /// The same of any zip archive.
    static func files(in archive: [UInt8]) throws(Refusal) -> [File] {
        var files: [File] = []
        var failure: Refusal?
        archive.withUnsafeBytes { bytes in
            do throws(Refusal) {
                files = try read(bytes)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return files
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> [File] {
        var message = [CChar](repeating: 0, count: Int(CARCHIVE_MESSAGE))
        guard bytes.count > 0, let reader = carchive_open(bytes.baseAddress, bytes.count, &message) else {
            throw Refusal(code: .archiveNotZip, entry: nil, reason: "is not a zip archive: \(text(message))")
        }
        defer { carchive_close(reader) }
        var files: [File] = []
        var seen = Seen()
        var total = 0
        var entries = 0
        var entry = carchive_entry()
        while true {
            let result = carchive_next(reader, &entry, &message)
            if result == 0 { break }
            guard result > 0 else {
                let code: MaskProblem.Code = entries == 0 ? .archiveNotZip : .archiveDamaged
                throw Refusal(code: code, entry: nil, reason: "cannot be read: \(text(message))")
            }
            entries += 1
            guard entries <= maximumFiles else {
                throw Refusal(
                    code: .archiveTooManyFiles, entry: nil, reason: "has more than \(maximumFiles) entries, the limit")
            }
            let name = try Self.name(entry)
            switch entry.kind {
            case CARCHIVE_FILE: break
            case CARCHIVE_FOLDER:
                try seen.note(folder: name)
                continue
            case CARCHIVE_LINK:
                throw Refusal(code: .archiveLink, entry: name, reason: "is a link; only files may be packed")
            default: throw Refusal(code: .archiveSpecialFile, entry: name, reason: "is neither a file nor a folder")
            }
            if entry.is_encrypted { throw Refusal(code: .archiveEncrypted, entry: name, reason: "is encrypted") }
            try seen.note(file: name)
            let content = try content(reader, name, total: &total)
            files.append(File(name: name, bytes: content))
        }
        return files
    }

    private static func content(_ reader: OpaquePointer, _ name: String, total: inout Int) throws(Refusal) -> [UInt8] {
        var message = [CChar](repeating: 0, count: Int(CARCHIVE_MESSAGE))
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // What an archive says of sizes is not believed: only what comes out counts.
            let count = carchive_read(reader, &buffer, buffer.count, &message)
            guard count >= 0 else {
                throw Refusal(code: .archiveDamaged, entry: name, reason: "cannot be unpacked: \(text(message))")
            }
            if count == 0 { return content }
            total += count
            guard content.count + count <= maximumFileSize else {
                throw Refusal(
                    code: .archiveFileTooLarge, entry: name,
                    reason: "is larger than \(maximumFileSize >> 20) MiB, the limit")
            }
            guard total <= maximumSize else {
                throw Refusal(
                    code: .archiveTooLarge, entry: nil,
                    reason: "unpacks to more than \(maximumSize >> 20) MiB, the limit")
            }
            content += buffer[..<count]
        }
    }

    /// The entry's name, once it is known to be harmless.
    private static func name(_ entry: carchive_entry) throws(Refusal) -> String {
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

    /// Names so far: systems that do not tell upper from lower case must be able to unpack it too.
    private struct Seen {
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

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
