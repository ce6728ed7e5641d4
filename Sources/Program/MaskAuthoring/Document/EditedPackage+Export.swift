import Files
import Masks

/// A mask as it is on disk, to be packed into one file (`bauta mask pack`), on any thread.
package struct MaskExport: Sendable {
    fileprivate let folder: FilePath
    fileprivate let validator: PackageValidator

    /// Packs the mask as it is on disk into one file (`bauta mask pack`), without the files that nothing in it uses: what was
    /// only tried is nobody else's business.
    /// - Returns: a sentence for the user.
    /// - Throws: as `PackageStore.pack`; `FileError` of kind `alreadyExists` unless the file is replaced.
    package func write(to path: FilePath, replacing: Bool) throws -> String {
        let store = PackageStore(folder: folder.parent, validator: validator)
        let packed = try store.pack(folder, to: path, replacing: replacing, leavesOutUnused: true)
        var written = "Exported to \(path), \(FileSize.text(packed.size))."
        if let first = packed.leftOut.first {
            let others = packed.leftOut.count - 1
            written += " Left out, because nothing uses it: \(first)\(others == 0 ? "" : " and \(others) more")."
        }
        guard let unasked = packed.warnings.listed.first(where: { $0.code == .likenessUnasked }) else { return written }
        return "\(written) \(unasked.reason)"
    }
}

extension EditedPackage {
    /// Whether the mask can be packed, once it is saved: it has no errors.
    package var canBeExported: Bool { reading.problems.errorCount == 0 }

    package var export: MaskExport {
        MaskExport(
            folder: folder, validator: PackageValidator(loader: loader, reference: reference, mesh: mesh))
    }
}
