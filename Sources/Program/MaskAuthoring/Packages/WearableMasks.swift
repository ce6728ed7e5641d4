import FaceGeometry
import Files
import Gaze
import Masks

/// A packed mask in a temporary folder, which is deleted with this object.
package final class UnpackedMask: Sendable {
    /// The packed mask.
    package let path: FilePath
    private let pending: PendingFolder
    package var folder: FilePath { pending.path }

    /// - Throws: `FileError`, or `MaskProblem` if the archive is refused.
    fileprivate init(_ path: FilePath) throws {
        let files = try PackageFolder.unpacked(path)
        self.path = path
        pending = try PendingFolder(in: FilePath(environment: "TMPDIR") ?? "/tmp")
        try PackageFolder.write(files, to: pending.path)
    }
}

/// Loads masks for a stream of pictures, on any thread, with what they need to be worn.
package struct WearableMasks: Sendable {
    private let loader: MaskLoader
    package let reference: ReferenceFace
    private let mesh: FaceMesh
    private let pupils: SuppliedPupilFinder

    /// - Parameter pupils: gets the pupil finder for masks whose eyes move.
    package init(loader: MaskLoader, reference: ReferenceFace, mesh: FaceMesh, pupils: SuppliedPupilFinder) {
        (self.loader, self.reference, self.mesh, self.pupils) = (loader, reference, mesh, pupils)
    }

    /// - Throws: the errors of `MaskLoader` and `SuppliedPupilFinder.prepare`.
    package func mask(folder: FilePath) throws -> Mask {
        let mask = try loader.load(folder: folder)
        try pupils.prepare(for: mask)
        return mask
    }

    /// Checks a packed mask as `mask install` does and unpacks it to a temporary folder.
    /// - Returns: the mask, and its folder, which must exist as long as the mask is used.
    /// - Throws: `FileError`, `MaskProblem` or `InvalidMask`; the errors of `SuppliedPupilFinder.prepare`.
    package func mask(package path: FilePath) throws -> (mask: Mask, package: UnpackedMask) {
        let unpacked = try UnpackedMask(path)
        try PackageValidator(loader: loader, reference: reference, mesh: mesh)
            .requireValid(folder: unpacked.folder, shownAs: path)
        return (try mask(folder: unpacked.folder), unpacked)
    }
}
