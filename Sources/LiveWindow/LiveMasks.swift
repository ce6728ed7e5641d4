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
        /// What preferences call it: the name of an installed mask, or the path of a folder. Nil: it does not outlive the
        /// session.
        var key: String?
        /// The packed mask that was unpacked to `folder`; nil: it was none, or it has been installed.
        var package: UnpackedMask?
        /// The last version that was loaded successfully; nil: none.
        var mask: Mask?
        /// Why the files cannot be loaded in their current state; nil: they can, or have not been tried.
        var error: String?
        /// The state of the files when they were last loaded.
        var stamps: PackageFolder.Stamps?
    }

    /// Masks are only appended; a packed one that is dropped again takes its own place.
    var entries: [Entry]
    /// Keys of entries, in the order in which the user marked them. They come first, so that the digits choose them.
    var favourites: [String] = []
    /// The current mask, as an index of `entries`.
    private(set) var index = 0
    /// Increases whenever the current mask changes.
    private(set) var revision = 0

    let loader: MaskLoader
    let data: DataFolder
    let reference: ReferenceFace
    let mesh: FaceMesh
    private var lastCheck = ContinuousClock.now

    /// - Parameter first: the mask to start with: the name of an installed mask, or a mask's folder.
    /// - Throws: `DataFolderError` or `FileError`; the errors of `DataFolder.mask` and `GazeFollower.check`.
    init(data: DataFolder, reference: ReferenceFace, mesh: FaceMesh, first: String) throws {
        loader = data.maskLoader(reference)
        (self.data, self.reference, self.mesh) = (data, reference, mesh)
        entries = data.installedMasks().map { Entry(name: $0.name, folder: $0.folder, key: $0.name) }
        let folder = try data.maskFolder(first)
        index = entries.firstIndex { $0.folder == folder } ?? entries.count
        let mask = try loader.load(folder: folder)
        try GazeFollower.check(mask)
        if index == entries.count { entries.append(Self.entry(mask, folder: folder)) }
        entries[index].mask = mask
        entries[index].stamps = entries[index].folder.map(PackageFolder.stamps)
    }

    var current: Entry { entries[index] }

    /// Of a mask that is not installed.
    static func entry(_ mask: Mask, folder: FilePath) -> Entry {
        Entry(name: mask.name, folder: folder, key: folder.resolved?.string, mask: mask)
    }

    /// The indices of `entries` in the order of the gallery and of the keys: favourites first.
    var order: [Int] {
        let marked = favourites.compactMap { key in entries.firstIndex { $0.key == key } }
        return marked + entries.indices.filter { !marked.contains($0) }
    }

    /// - Returns: the index of the mask that is so many places behind the current one; past either end the order wraps
    ///   around.
    func index(behind count: Int) -> Int {
        let order = order
        let place = (order.firstIndex(of: index) ?? 0) + count
        return order[(place % order.count + order.count) % order.count]
    }

    func isFavourite(_ index: Int) -> Bool { entries[index].key.map { favourites.contains($0) } ?? false }

    /// A mask that does not outlive the session cannot be a favourite.
    func toggleFavourite(_ index: Int) {
        guard let key = entries[index].key else { return }
        if let place = favourites.firstIndex(of: key) { favourites.remove(at: place) } else { favourites.append(key) }
    }

    /// Makes a mask the current one, and loads it at the first use. An index out of range is ignored.
    func choose(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        self.index = index
        revision += 1
        if entries[index].mask == nil { load(index) }
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
