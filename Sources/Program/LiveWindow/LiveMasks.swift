import FaceGeometry
import Files
import Gaze
import Installation
import MaskAuthoring
import Masks
import Threads

/// The masks that the user can choose from, the one that is chosen, and the favourites.
struct MaskList {
    struct Entry {
        let name: String
        /// The mask's package; nil: the mask was made from a photograph.
        let folder: FilePath?
        /// Its title and its author, as its manifest says them.
        var credits: (name: String?, author: String?) = (nil, nil)
        /// Its name in the preferences: the name of an installed mask, or the path of a folder. Nil: it does not
        /// outlive the session.
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
    var index = 0

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
    mutating func toggleFavourite(_ index: Int) {
        guard let key = entries[index].key else { return }
        if let place = favourites.firstIndex(of: key) { favourites.remove(at: place) } else { favourites.append(key) }
    }
}

/// Loads the masks of a list. A mask is loaded when it is chosen first, and again when its files change, on
/// another thread; until then the one before is worn.
final class LiveMasks {
    private(set) var list: MaskList
    /// Increases whenever the current mask changes.
    private(set) var revision = 0

    let loader: MaskLoader
    let data: DataFolder
    let reference: ReferenceFace
    let mesh: FaceMesh
    /// The pupil finder for masks whose eyes move.
    let pupils: SuppliedPupilFinder
    private let reader: MaskReader
    private let stopsReading = StopSignal()
    /// Since when the current mask is being loaded; nil: it is not, or is worn in its former version meanwhile.
    private var loadingSince: ContinuousClock.Instant?

    /// The first mask of a session. The mask of the last session may be gone, or broken: then the session begins with
    /// another one.
    static func first(
        _ settings: LiveSettings, _ preferences: LivePreferences, data: DataFolder, reference: ReferenceFace,
        mesh: FaceMesh, pupils: SuppliedPupilFinder, warn: (String) -> Void
    ) throws -> LiveMasks {
        func masks(_ first: String) throws -> LiveMasks {
            let masks = try LiveMasks(data: data, reference: reference, mesh: mesh, pupils: pupils, first: first)
            masks.list.favourites = preferences.favourites
            return masks
        }
        if settings.worn.mask == nil, let last = preferences.mask {
            do {
                return try masks(last)
            } catch {
                warn("the mask of the last session cannot be loaded: \(error)")
            }
        }
        // A packed mask, for instance one that was opened in a file manager.
        if let path = settings.worn.mask.map({ FilePath($0) }), path.fileExtension == "bauta", path.exists,
            !Folder.exists(path)
        {
            let masks = try masks(LiveSettings.defaultMask)
            masks.wear(try masks.droppedLoader.loaded(package: path))
            return masks
        }
        return try masks(settings.worn.mask ?? LiveSettings.defaultMask)
    }

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
        list = MaskList(
            entries: data.installedMasks().map { [loader] in
                .init(name: $0.name, folder: $0.folder, credits: loader.credits(folder: $0.folder), key: $0.name)
            })
        let folder = try data.maskFolder(first)
        list.index = list.entries.firstIndex { $0.folder == folder } ?? list.entries.count
        let stamps = PackageFolder.stamps(folder)
        let mask = try droppedLoader.mask(folder: folder)
        if list.index == list.entries.count {
            list.entries.append(.init(name: mask.name, folder: folder, key: folder.resolved?.string))
        }
        list.entries[list.index].mask = mask
        list.entries[list.index].stamps = stamps
        watch()
    }

    deinit { stop() }

    /// Ends the loading thread.
    func stop() {
        stopsReading.stop()
        reader.stop()
    }

    var current: MaskList.Entry { list.current }
    var index: Int { list.index }

    func toggleFavourite(_ index: Int) { list.toggleFavourite(index) }

    /// Whether the current mask has been chosen, but cannot be worn yet.
    var isLoading: Bool { loadingSince != nil }
    /// The name of the mask that is being loaded; nil: none, or it has not taken noticeably long yet.
    var loadingName: String? { loadingSince.flatMap { .now - $0 > .milliseconds(300) ? current.name : nil } }

    /// The mask that was chosen before another one was tried on, as an index of `MaskList.entries`; nil: none is.
    private var kept: Int?
    /// The list with the mask that is chosen, also while another one is tried on.
    var chosen: MaskList {
        var list = list
        if let kept { list.index = kept }
        return list
    }

    /// Whether a mask is worn only for as long as the user looks at it.
    var isTrial: Bool { kept != nil }

    /// Wears a mask for as long as the user looks at it.
    /// - Parameter index: nil: the mask that was chosen before is worn again.
    func tryOn(_ index: Int?) {
        guard let index else {
            if let kept { choose(kept) }
            return
        }
        guard index != list.index else { return }
        let before = kept ?? list.index
        choose(index)
        kept = before
    }

    /// Makes a mask the current one; at the first use it is loaded, and `takeLoaded` finds out when it is there. An index out
    /// of range is ignored.
    func choose(_ index: Int) {
        guard list.entries.indices.contains(index) else { return }
        kept = nil
        list.index = index
        loadingSince = list.entries[index].mask == nil ? .now : nil
        if list.entries[index].mask != nil { revision += 1 }
        watch()
    }

    /// Takes what has been loaded. To be called for each frame.
    /// - Returns: whether the chosen mask has been waited for, and can be worn now.
    func takeLoaded() -> Bool {
        var isReady = false
        for loaded in reader.take() {
            // A packed mask that has been dropped again has other files.
            guard list.entries[loaded.index].folder == loaded.folder else { continue }
            list.entries[loaded.index].stamps = loaded.stamps
            switch loaded.mask {
            case .success(let mask): (list.entries[loaded.index].mask, list.entries[loaded.index].error) = (mask, nil)
            case .failure(let error): list.entries[loaded.index].error = "\(error)"
            }
            guard loaded.index == index else { continue }
            isReady = loadingSince != nil && current.error == nil
            loadingSince = nil
            revision += 1
        }
        return isReady && !isTrial
    }

    /// Has the current mask loaded if it has not been, or when its files change. One that could not be loaded is tried again.
    private func watch() {
        let entry = list.current
        reader.want(MaskReader.Wish(index: index, folder: entry.folder, stamps: entry.mask == nil ? nil : entry.stamps))
    }

    // MARK: Masks that are dropped on the window

    /// Chooses a mask that has been loaded. A packed one takes the place of its former version.
    func wear(_ loaded: LoadedMask) {
        var entry = MaskList.Entry(name: loaded.mask.name, folder: loaded.folder, key: loaded.key)
        entry.credits = (nil, loaded.mask.author)
        (entry.package, entry.mask, entry.stamps) = (loaded.package, loaded.mask, loaded.stamps)
        // What was dropped twice may have been loaded before the first one was known.
        let known =
            loaded.known
            ?? list.entries.firstIndex {
                if let package = loaded.package { return $0.package?.path == package.path }
                return $0.folder != nil && $0.folder == loaded.folder
            }
        guard let known else {
            list.entries.append(entry)
            return choose(list.entries.count - 1)
        }
        if loaded.package != nil {
            entry.key = list.entries[known].key
            list.entries[known] = entry
        }
        choose(known)
    }

    /// The loaders of masks on other threads.
    var droppedLoader: DroppedMasks {
        DroppedMasks(
            loader: loader, reference: reference, mesh: mesh, pupils: pupils,
            known: list.entries.map { ($0.folder, $0.package?.path) })
    }

    /// Installs a packed mask, on any thread.
    /// - Returns: its name among the installed masks.
    /// - Throws: `FileError`, also if a mask of that name is installed; `MaskProblem` or `InvalidMask`.
    static func install(_ package: UnpackedMask, _ masks: DroppedMasks, in folder: FilePath) throws -> FilePath {
        let name = package.path.name.withoutExtension
        guard PackageStore.isValidName(name) else {
            throw FileError(
                .unwritable, path: package.path,
                "has a name that an installed mask cannot have; 'bauta mask install --name' takes another one")
        }
        let validator = PackageValidator(loader: masks.loader, reference: masks.reference, mesh: masks.mesh)
        try PackageStore(folder: folder, validator: validator).install(package.path, as: name, replacing: false)
        return name
    }

    /// Takes note that a packed mask has been installed.
    func note(_ package: UnpackedMask, installedAs name: FilePath) {
        // Its files stay where they are until the session ends.
        for index in list.entries.indices where list.entries[index].package === package {
            list.entries[index].key = name.string
        }
    }
}
