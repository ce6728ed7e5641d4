import FaceGeometry
import FaceTracking
import ImageFiles
import MaskAuthoring
import Masking
import Masks
import Pixels

/// The masks that the user can choose from, kept up to date with their files.
final class LiveMasks {
    struct Entry {
        let name: String
        /// The folder that it is loaded from; nil for a mask made from a photograph.
        let folder: String?
        fileprivate(set) var mask: Mask?
        /// What is wrong with its files now. `mask` is then the last one that could be loaded.
        fileprivate(set) var error: String?
        fileprivate var stamps: PackageFolder.Stamps?
    }

    private(set) var entries: [Entry]
    private(set) var index = 0
    /// Grows whenever the current mask changes.
    private(set) var revision = 0

    private let loader: MaskLoader
    private let reference: ReferenceFace
    private var lastLook = ContinuousClock.now

    /// - Parameter first: a mask's name or folder.
    init(data: DataFolder, reference: ReferenceFace, first: String) throws {
        loader = data.maskLoader(reference)
        self.reference = reference
        entries = data.installedMasks().map { Entry(name: $0.name, folder: $0.folder) }
        if let known = entries.firstIndex(where: { $0.name == first }) {
            index = known
        } else {
            let mask = try data.mask(first, reference: reference)
            entries.append(Entry(name: mask.name, folder: first))
            index = entries.count - 1
        }
        entries[index].mask = try data.mask(first, reference: reference)
        entries[index].stamps = entries[index].folder.map(PackageFolder.stamps)
    }

    var current: Entry { entries[index] }

    func choose(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        self.index = index
        revision += 1
        if entries[index].mask == nil { load(index) }
    }

    /// The mask, loaded at the first use; nil if it cannot be loaded.
    func mask(_ index: Int) -> Mask? {
        if entries[index].mask == nil, entries[index].error == nil { load(index) }
        return entries[index].mask
    }

    /// Loads and chooses the mask of a folder.
    func wear(folder: String) throws {
        let mask = try loader.load(folder: folder)
        if let known = entries.firstIndex(where: { $0.folder == folder }) { return choose(known) }
        entries.append(Entry(name: mask.name, folder: folder, mask: mask, stamps: PackageFolder.stamps(folder)))
        choose(entries.count - 1)
    }

    /// Makes a mask of the largest face on a photograph, and chooses it.
    func wear(portrait path: String, finder: PhotographFaces) throws {
        let mask = try Portrait(path, choice: .largest, largestSide: 4096, finder: finder)
            .mask(light: LightMatching(shading: 0.3, color: 0.8))
        entries.append(Entry(name: mask.name, folder: nil, mask: mask))
        choose(entries.count - 1)
    }

    /// Reloads the current mask when its files have changed. Looks at them a few times a second.
    func takeUpChanges() {
        let now = ContinuousClock.now
        guard now - lastLook > .milliseconds(150), let folder = entries[index].folder else { return }
        lastLook = now
        let stamps = PackageFolder.stamps(folder)
        guard stamps != entries[index].stamps else { return }
        load(index)
        entries[index].stamps = stamps
    }

    private func load(_ index: Int) {
        guard let folder = entries[index].folder else { return }
        entries[index].stamps = PackageFolder.stamps(folder)
        do {
            entries[index].mask = try loader.load(folder: folder)
            entries[index].error = nil
        } catch {
            entries[index].error = "\(error)"
        }
        revision += 1
    }
}
