import FaceTracking
import Files
import MaskAuthoring
import Masking
import Masks

/// A packed mask in a temporary folder, which is deleted with this object.
final class UnpackedMask {
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

/// Masks that the user drops on the window.
extension LiveMasks {
    /// Loads a mask from its folder and chooses it.
    /// - Throws: the errors of `MaskLoader` and `GazeFollower.check`.
    func wear(folder: FilePath) throws {
        let mask = try loader.load(folder: folder)
        try GazeFollower.check(mask)
        if let known = entries.firstIndex(where: { $0.folder == folder }) { return choose(known) }
        var entry = Self.entry(mask, folder: folder)
        entry.stamps = PackageFolder.stamps(folder)
        append(entry)
    }

    /// Checks a packed mask as `mask install` does, unpacks it to a temporary folder and chooses it.
    /// - Throws: `FileError`, `MaskProblem` or `InvalidMask`; the errors of `GazeFollower.check`.
    func wear(package path: FilePath) throws {
        let unpacked = try UnpackedMask(path)
        try validator.requireValid(folder: unpacked.folder, shownAs: path)
        let mask = try loader.load(folder: unpacked.folder)
        try GazeFollower.check(mask)
        var entry = Self.entry(mask, folder: unpacked.folder)
        entry.key = nil
        entry.package = unpacked
        entry.stamps = PackageFolder.stamps(unpacked.folder)
        guard let known = entries.firstIndex(where: { $0.package?.path == path }) else { return append(entry) }
        entry.key = entries[known].key
        entries[known] = entry
        choose(known)
    }

    /// Makes a mask from the face in a photograph and chooses it. The same photographs are refused as by `mask new`.
    /// - Throws: `PictureError`, `PortraitError` or `VisionError`.
    func wear(portrait path: String, finder: PhotographFaces) throws {
        let mask = try Portrait(path, choice: .only, largestSide: 4096, finder: finder)
            .mask(light: LightMatching(shading: 0.3, color: 0.8))
        append(Entry(name: mask.name, folder: nil, mask: mask))
    }

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
        try PackageStore(folder: data.maskFolders[0], validator: validator)
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
