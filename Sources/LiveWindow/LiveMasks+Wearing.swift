import FaceGeometry
import FaceTracking
import Files
import MaskAuthoring
import Masking
import Masks

/// A packed mask in a temporary folder, which is deleted with this object.
final class UnpackedMask: Sendable {
    /// The packed mask.
    let path: FilePath
    private let pending: PendingFolder
    var folder: FilePath { pending.path }

    /// - Throws: `FileError`, or `MaskProblem` if the archive is refused.
    init(_ path: FilePath) throws {
        let files = try PackageFolder.unpacked(path)
        self.path = path
        pending = try PendingFolder(in: FilePath(environment: "TMPDIR") ?? "/tmp")
        try PackageFolder.write(files, to: pending.path)
    }
}

/// Loads what the user drops on the window, on any thread.
struct DroppedMasks: Sendable {
    let loader: MaskLoader
    let reference: ReferenceFace
    let mesh: FaceMesh

    /// - Throws: the errors of `MaskLoader` and `GazeFollower.check`.
    func mask(folder: FilePath) throws -> Mask {
        let mask = try loader.load(folder: folder)
        try GazeFollower.check(mask)
        return mask
    }

    /// Checks a packed mask as `mask install` does and unpacks it to a temporary folder.
    /// - Throws: `FileError`, `MaskProblem` or `InvalidMask`; the errors of `GazeFollower.check`.
    func mask(package path: FilePath) throws -> (mask: Mask, unpacked: UnpackedMask) {
        let unpacked = try UnpackedMask(path)
        try PackageValidator(loader: loader, reference: reference, mesh: mesh)
            .requireValid(folder: unpacked.folder, shownAs: path)
        return (try mask(folder: unpacked.folder), unpacked)
    }

    /// Makes a mask from the face in a photograph, as `mask new` does: the same photographs are refused, and hair, hat and
    /// background are cut out.
    /// - Throws: `PictureError`, `PortraitError` or `VisionError`.
    func mask(portrait path: FilePath, models: FaceModels) throws -> Mask {
        let finder = try PhotographFaces(reference: reference, models: models)
        let portrait = try Portrait(path, choice: .only, largestSide: 4096, finder: finder)
        return try PortraitMask(
            portrait.pixels, face: portrait.face, mesh: mesh, lightRemoval: PortraitMask.defaultLightRemoval
        ).mask(from: path)
    }
}

/// Masks that the user drops on the window.
extension LiveMasks {
    /// Chooses a mask that has been loaded from its folder.
    func wear(_ mask: Mask, folder: FilePath) {
        if let known = entries.firstIndex(where: { $0.folder?.isSameFile(as: folder) == true }) { return choose(known) }
        var entry = Self.entry(mask, folder: folder)
        entry.stamps = PackageFolder.stamps(folder)
        append(entry)
    }

    /// Chooses a packed mask.
    /// - Parameter mask: that of `unpacked`.
    func wear(_ mask: Mask, unpacked: UnpackedMask) {
        var entry = Self.entry(mask, folder: unpacked.folder)
        entry.key = nil
        entry.package = unpacked
        entry.stamps = PackageFolder.stamps(unpacked.folder)
        guard let known = entries.firstIndex(where: { $0.package?.path.isSameFile(as: unpacked.path) == true }) else {
            return append(entry)
        }
        entry.key = entries[known].key
        entries[known] = entry
        choose(known)
    }

    /// Chooses a mask that has been made from the face in a photograph.
    func wear(portrait mask: Mask) { append(Entry(name: mask.name, folder: nil, mask: mask)) }

    /// What loads masks on other threads.
    var droppedLoader: DroppedMasks { DroppedMasks(loader: loader, reference: reference, mesh: mesh) }

    /// Installs the current mask if it is a packed one.
    /// - Returns: its name among the installed masks.
    /// - Throws: `FileError`, also if a mask of that name is installed; `MaskProblem` or `InvalidMask`.
    func installCurrent() throws -> String? {
        guard let package = current.package else { return nil }
        let name = package.path.name.withoutExtension
        guard PackageStore.isValidName(name) else {
            throw FileError(
                .unwritable, path: package.path,
                "has a name that an installed mask cannot have; 'bauta mask install --name' takes another one")
        }
        try PackageStore(folder: data.ownMasks(), validator: validator)
            .install(package.path, as: name, replacing: false)
        entries[index].key = name.string
        // Its files stay where they are until the session ends.
        return name.description
    }

    private var validator: PackageValidator { PackageValidator(loader: loader, reference: reference, mesh: mesh) }

    private func append(_ entry: Entry) {
        entries.append(entry)
        choose(entries.count - 1)
    }
}
