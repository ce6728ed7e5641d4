import FaceGeometry
import Files
import Gaze
import Installation
import MaskAuthoring
import Masks
import Threads

/// The masks that the user can choose from. A mask is loaded when it is chosen first, and again when its files change, on
/// another thread; until then the one before is worn.
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
    /// What masks need whose eyes move.
    let pupils: SuppliedPupilFinder
    private let reader: MaskReader
    private let stopsReading = StopSignal()
    /// Since when the current mask is being loaded; nil: it is not, or is worn in its former version meanwhile.
    private var loadingSince: ContinuousClock.Instant?

    /// - Parameter first: the mask to start with: the name of an installed mask, or a mask's folder.
    /// - Throws: `DataFolderError` or `FileError`; the errors of `DataFolder.mask` and `SuppliedPupilFinder.prepare`.
    init(
        data: DataFolder, reference: ReferenceFace, mesh: FaceMesh, pupils: SuppliedPupilFinder, first: String
    ) throws {
        loader = data.maskLoader(reference)
        (self.data, self.reference, self.mesh, self.pupils) = (data, reference, mesh, pupils)
        let reading = DroppedMasks(
            loader: data.maskLoader(reference, stop: stopsReading), reference: reference, mesh: mesh, pupils: pupils)
        reader = try MaskReader { try reading.mask(folder: $0) }
        entries = data.installedMasks().map { Entry(name: $0.name, folder: $0.folder, key: $0.name) }
        let folder = try data.maskFolder(first)
        index = entries.firstIndex { $0.folder == folder } ?? entries.count
        let stamps = PackageFolder.stamps(folder)
        let mask = try droppedLoader.mask(folder: folder)
        if index == entries.count {
            entries.append(Entry(name: mask.name, folder: folder, key: folder.resolved?.string))
        }
        entries[index].mask = mask
        entries[index].stamps = stamps
        watch()
    }

    deinit { stop() }

    /// Ends the loading thread.
    func stop() {
        stopsReading.stop()
        reader.stop()
    }

    var current: Entry { entries[index] }

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

    /// Whether the current mask has been chosen, but cannot be worn yet.
    var isLoading: Bool { loadingSince != nil }
    /// The name of the mask that is being loaded; nil: none, or it has not taken noticeably long yet.
    var loadingName: String? { loadingSince.flatMap { .now - $0 > .milliseconds(300) ? current.name : nil } }

    /// Makes a mask the current one; at the first use it is loaded, and `takeLoaded` finds out when it is there. An index out
    /// of range is ignored.
    func choose(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        self.index = index
        loadingSince = entries[index].mask == nil ? .now : nil
        if entries[index].mask != nil { revision += 1 }
        watch()
    }

    /// Takes what has been loaded. To be called for each frame.
    func takeLoaded() {
        for loaded in reader.take() {
            // A packed mask that has been dropped again has other files.
            guard entries[loaded.index].folder == loaded.folder else { continue }
            entries[loaded.index].stamps = loaded.stamps
            switch loaded.mask {
            case .success(let mask): (entries[loaded.index].mask, entries[loaded.index].error) = (mask, nil)
            case .failure(let error): entries[loaded.index].error = "\(error)"
            }
            guard loaded.index == index else { continue }
            loadingSince = nil
            revision += 1
        }
    }

    /// Has the current mask loaded if it has not been, or when its files change. One that could not be loaded is tried again.
    private func watch() {
        let entry = entries[index]
        reader.want(MaskReader.Wish(index: index, folder: entry.folder, stamps: entry.mask == nil ? nil : entry.stamps))
    }
}
