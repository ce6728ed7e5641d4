import Files

/// A photograph of an earlier run that a person may look through (`bauta review`).
package struct ReviewablePhotograph: Equatable, Sendable {
    /// The absolute path of the photograph; nil: an earlier version made the result, which did not note it.
    package let source: FilePath?
    /// The path of the result below the folder of results.
    package let result: FilePath
    /// Of the photograph as it was read, as `Checksum.ofFile` finds it.
    package let checksum: UInt64
    /// Of the result as it was written last; nil: none was.
    package let resultChecksum: UInt64?
    package let status: PhotoOutcome.Status
    /// Whether faces wear masks in the result, and are not covered in their place.
    package let wearsMasks: Bool
    /// Nil if unknown.
    package let findings: PhotoFindings?
}

extension PhotoJournal {
    /// What is known last about each result in a folder, in the order of their names. Results that somebody has removed are
    /// left out.
    /// - Throws: `FileError` if the records cannot be read.
    package static func photographs(in folder: FilePath) throws(FileError) -> [ReviewablePhotograph] {
        let folder: FilePath = folder.isEmpty ? "." : folder
        var records: [FilePath: [PhotoRecord]] = [:]
        var settings: [String: PhotoSettings] = [:]
        guard let entries = Folder.entries(of: folder) else {
            throw FileError(.unreadable, path: folder, "is not a folder that can be read")
        }
        for name in entries where isName(name) {
            let file = try RegularFile(folder / name)
            guard file.count > 0 else { continue }
            let bytes = try FileBytes(file, maximumCount: largest)
            bytes.withUnsafeBytes { parse($0, &records, &settings) }
        }
        return records.compactMap { result, records -> ReviewablePhotograph? in
            guard let last = records.last else { return nil }
            if last.result != nil, (folder / result).status(followsLinks: false) == nil { return nil }
            return ReviewablePhotograph(
                source: last.source, result: result, checksum: last.input.checksum,
                resultChecksum: last.resultChecksum, status: last.status,
                wearsMasks: settings[last.settings]?.drawsMasks ?? false, findings: last.findings)
        }.sorted { $0.result.bytes.lexicographicallyPrecedes($1.result.bytes) }
    }
}
