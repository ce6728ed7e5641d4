import CommandLine
import FaceGeometry
import FaceTracking
import ImageFiles
import MaskAuthoring
import Masking
import Masks
import Pixels

/// The masks to choose from while the program runs, kept up to date with their files.
final class LiveMasks {
    struct Entry {
        let name: String
        /// The folder that it is loaded from; nil for a face taken from a photograph.
        let folder: String?
        fileprivate(set) var mask: Mask?
        /// What is wrong with its files as they are now. The last good mask goes on being worn.
        fileprivate(set) var error: String?
        fileprivate var stamps: PackageFolder.Stamps?
    }

    private(set) var entries: [Entry]
    private(set) var index = 0
    /// Grows whenever a mask is another one than before.
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

    /// Loads the mask if it has not been yet.
    func mask(_ index: Int) -> Mask? {
        if entries[index].mask == nil, entries[index].error == nil { load(index) }
        return entries[index].mask
    }

    /// Wears the mask of a folder that was dropped.
    func wear(folder: String) throws {
        let mask = try loader.load(folder: folder)
        if let known = entries.firstIndex(where: { $0.folder == folder }) { return choose(known) }
        entries.append(Entry(name: mask.name, folder: folder, mask: mask, stamps: PackageFolder.stamps(folder)))
        choose(entries.count - 1)
    }

    /// Wears the largest face of a photograph.
    func wear(portrait path: String, finder: PhotographFaces) throws {
        let mask = try Portrait(path, choice: .largest, largestSide: 4096, finder: finder)
            .mask(light: LightMatching(shading: 0.3, color: 0.8))
        entries.append(Entry(name: mask.name, folder: nil, mask: mask))
        choose(entries.count - 1)
    }

    /// Looks a few times a second whether the files of the mask that is worn have changed, and takes them up.
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
