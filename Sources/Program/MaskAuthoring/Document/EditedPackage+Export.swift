import Files
import Masks

/// A mask as it is on disk, to be packed into one file (`bauta mask pack`), on any thread.
package struct MaskExport: Sendable {
    fileprivate let folder: FilePath
    fileprivate let validator: PackageValidator

    /// Pictures and models that nothing uses, such as those that were only tried, are left out.
    /// - Returns: a sentence for the user.
    /// - Throws: as `PackageStore.pack`; `FileError` of kind `alreadyExists` unless the file is replaced.
    package func write(to path: FilePath, replacing: Bool) throws -> String {
        let store = PackageStore(folder: folder.parent, validator: validator)
        let (size, warnings) = try store.pack(folder, to: path, replacing: replacing, leavesOutUnused: true)
        let written = "Exported to \(path), \((size + 1023) / 1024) KiB."
        guard let unasked = warnings.listed.first(where: { $0.code == .likenessUnasked }) else { return written }
        return "\(written) \(unasked.reason)"
    }
}

extension EditedPackage {
    /// Whether what is on disk can be packed: it is what the user sees, and has no errors.
    package var canBeExported: Bool { history.isSaved && reading.problems.errorCount == 0 }

    package var export: MaskExport {
        MaskExport(
            folder: folder, validator: PackageValidator(loader: loader, reference: reference, mesh: mesh))
    }
}
