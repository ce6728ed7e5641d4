import CArchive
import Files

extension MaskArchive {
    /// Packs files, sorted by name.
    /// - Throws: `WritingFailure` when there is not enough memory, or libarchive is missing.
    package static func pack(_ files: [File]) throws(WritingFailure) -> [UInt8] {
        try archive(files.sorted { $0.name < $1.name })
    }

    /// Makes a zip archive of files in the given order.
    /// - Parameter stored: names of files that are not compressed.
    package static func archive(_ files: [File], stored: Set<FilePath> = []) throws(WritingFailure) -> [UInt8] {
        var message = [CChar](repeating: 0, count: Int(CARCHIVE_MESSAGE))
        guard let writer = carchive_create() else {
            throw WritingFailure(
                description: "cannot create an archive: libarchive (see 'bauta doctor') is missing, or memory")
        }
        defer { carchive_discard(writer) }
        for file in files {
            let isAdded = file.bytes.withUnsafeBytes { bytes in
                file.name.withCString {
                    carchive_add(writer, $0, bytes.baseAddress, bytes.count, stored.contains(file.name), &message)
                }
            }
            guard isAdded else { throw WritingFailure(description: "\(file.name): cannot be packed: \(text(message))") }
        }
        var data: UnsafeRawPointer?
        var size = 0
        guard carchive_finish(writer, &data, &size, &message) else {
            throw WritingFailure(description: "the archive cannot be completed: \(text(message))")
        }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    }
}
