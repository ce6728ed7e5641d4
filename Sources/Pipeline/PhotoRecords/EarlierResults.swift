import Files

/// The results that earlier runs wrote below a folder, as their records in it say.
package struct EarlierResults {
    private let folder: FilePath
    /// By the path of the result below the folder.
    private let records: [FilePath: [PhotoRecord]]

    /// - Parameter names: of the files in the folder.
    /// - Returns: nil if no records are there that can be read.
    package init?(in folder: FilePath, _ names: [FilePath]) {
        var records: [FilePath: [PhotoRecord]] = [:]
        var settings: [String: PhotoSettings] = [:]
        for name in names where PhotoJournal.isName(name) {
            guard let file = try? RegularFile(folder / name), file.count > 0,
                let bytes = try? FileBytes(file, maximumCount: PhotoJournal.largest)
            else { continue }
            bytes.withUnsafeBytes { PhotoJournal.parse($0, &records, &settings) }
        }
        guard !records.isEmpty else { return nil }
        (self.folder, self.records) = (folder, records)
    }

    /// The photograph from which a file was made.
    /// - Parameter file: a path that begins with that of the folder.
    /// - Returns: nil if the file is no result, or has been changed since: it may be somebody's work. Also if another photograph
    ///   is in the place of its own.
    package func photograph(of file: FilePath) -> FilePath? {
        guard let key = file.relative(to: folder), let known = records[key],
            let status = file.status(followsLinks: false)
        else { return nil }
        let identity = FileIdentity(status)
        if let record = known.last(where: { $0.result == identity }) { return Self.source(of: record) }
        // A copy of the folder has other times.
        let alike = known.filter { $0.result?.size == identity.size }
        guard !alike.isEmpty, let checksum = try? Checksum.ofFile(file) else { return nil }
        return alike.last { $0.resultChecksum == checksum }.flatMap(Self.source)
    }

    /// A camera may use a name again.
    private static func source(of record: PhotoRecord) -> FilePath? {
        guard let source = record.source, (try? record.input.isState(of: source)) == true else { return nil }
        return source
    }
}
