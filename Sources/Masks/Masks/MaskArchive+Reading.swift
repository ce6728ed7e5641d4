import CArchive
import Files

extension MaskArchive {
    /// Reads all files of a packed mask. Names that lead out of the package, links and excessive sizes are refused.
    package static func unpack(_ archive: [UInt8]) throws(Refusal) -> [File] {
        let files = try files(in: archive)
        guard files.contains(where: { $0.name == MaskLoader.manifestName }) else {
            throw Refusal(
                code: .archiveNoManifest, entry: nil,
                reason: "has no \(MaskLoader.manifestName) at its top; it is not a mask")
        }
        return files
    }

    /// Reads all files of any zip archive, with the same checks.
    package static func files(in archive: [UInt8]) throws(Refusal) -> [File] {
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
                throw Refusal(
                    code: .archiveLink, entry: name.description, reason: "is a link; only files may be packed")
            default:
                throw Refusal(
                    code: .archiveSpecialFile, entry: name.description, reason: "is neither a file nor a folder")
            }
            if entry.is_encrypted {
                throw Refusal(code: .archiveEncrypted, entry: name.description, reason: "is encrypted")
            }
            try seen.note(file: name)
            let content = try content(reader, name, total: &total)
            files.append(File(name: name, bytes: content))
        }
        return files
    }

    private static func content(_ reader: OpaquePointer, _ name: FilePath, total: inout Int) throws(Refusal) -> [UInt8]
    {
        var message = [CChar](repeating: 0, count: Int(CARCHIVE_MESSAGE))
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The sizes in the archive's headers are not trusted; the unpacked bytes are counted.
            let count = carchive_read(reader, &buffer, buffer.count, &message)
            guard count >= 0 else {
                throw Refusal(
                    code: .archiveDamaged, entry: name.description, reason: "cannot be unpacked: \(text(message))")
            }
            if count == 0 { return content }
            total += count
            guard content.count + count <= maximumFileSize else {
                throw Refusal(
                    code: .archiveFileTooLarge, entry: name.description,
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
}
