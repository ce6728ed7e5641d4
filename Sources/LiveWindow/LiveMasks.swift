import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import MaskAuthoring
import Masking
import Masks
import Pixels

/// The masks that the user can choose from. A mask is reloaded when its files change.
final class LiveMasks {
    struct Entry {
        let name: String
        /// The mask's package; nil: the mask was made from a photograph.
        let folder: FilePath?
        /// The last version that was loaded successfully; nil: none.
        fileprivate(set) var mask: Mask?
        /// Why the files cannot be loaded in their current state; nil: they can, or have not been tried.
        fileprivate(set) var error: String?
        /// The state of the files when they were last loaded.
        fileprivate var stamps: PackageFolder.Stamps?
    }

    private(set) var entries: [Entry]
    /// The current mask, as an index of `entries`.
    private(set) var index = 0
    /// Increases whenever the current mask changes.
    private(set) var revision = 0

    let loader: MaskLoader
    private let reference: ReferenceFace
    private var lastCheck = ContinuousClock.now

    /// - Parameter first: the mask to start with: the name of an installed mask, or a mask's folder.
    /// - Throws: `DataFolderError` or `FileError`; the errors of `DataFolder.mask` and `GazeFollower.check`.
    init(data: DataFolder, reference: ReferenceFace, first: String) throws {
        loader = data.maskLoader(reference)
        self.reference = reference
        entries = data.installedMasks().map { Entry(name: $0.name, folder: $0.folder) }
        if let known = entries.firstIndex(where: { $0.name == first }) {
            index = known
        } else {
            index = entries.count
        }
        let mask = try data.mask(first, reference: reference)
        try GazeFollower.check(mask)
        if index == entries.count { entries.append(Entry(name: mask.name, folder: FilePath(first))) }
        entries[index].mask = mask
        entries[index].stamps = entries[index].folder.map(PackageFolder.stamps)
    }

    var current: Entry { entries[index] }

    /// Makes a mask the current one, and loads it at the first use. An index out of range is ignored.
    func choose(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        self.index = index
        revision += 1
        if entries[index].mask == nil { load(index) }
    }

    /// Loads a mask from its folder and chooses it.
    /// - Throws: the errors of `MaskLoader` and `GazeFollower.check`.
    func wear(folder: FilePath) throws {
        let mask = try loader.load(folder: folder)
        try GazeFollower.check(mask)
        if let known = entries.firstIndex(where: { $0.folder == folder }) { return choose(known) }
        entries.append(Entry(name: mask.name, folder: folder, mask: mask, stamps: PackageFolder.stamps(folder)))
        choose(entries.count - 1)
    }

    /// Makes a mask from the face in a photograph and chooses it. The same photographs are refused as by `mask new`.
    /// - Throws: `PictureError`, `PortraitError` or `VisionError`.
    func wear(portrait path: String, finder: PhotographFaces) throws {
        let mask = try Portrait(path, choice: .only, largestSide: 4096, finder: finder)
            .mask(light: LightMatching(shading: 0.3, color: 0.8))
        entries.append(Entry(name: mask.name, folder: nil, mask: mask))
        choose(entries.count - 1)
    }

    /// Reloads the current mask if its files have changed. To be called for each frame; checks at most every 150 ms.
    func reloadIfChanged() {
        let now = ContinuousClock.now
        guard now - lastCheck > .milliseconds(150), let folder = entries[index].folder else { return }
        lastCheck = now
        let stamps = PackageFolder.stamps(folder)
        guard stamps != entries[index].stamps else { return }
        load(index)
        entries[index].stamps = stamps
    }

    private func load(_ index: Int) {
        guard let folder = entries[index].folder else { return }
        entries[index].stamps = PackageFolder.stamps(folder)
        do {
            let mask = try loader.load(folder: folder)
            try GazeFollower.check(mask)
            entries[index].mask = mask
            entries[index].error = nil
        } catch {
            entries[index].error = "\(error)"
        }
        revision += 1
    }
}
