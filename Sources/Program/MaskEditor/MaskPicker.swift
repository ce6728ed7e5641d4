import Display
import FileDialogs
import Files
import Glibc
import Installation
import LiveWindow
import MaskAuthoring
import Masks

/// Lets somebody who has named no mask choose one: a new one, one of their own, or a copy of one that comes with the program.
/// It belongs to the process's first thread.
package final class MaskPicker {
    /// What is edited.
    package enum Choice: Equatable {
        case new
        case own(FilePath)
        /// Of a mask in this folder.
        case copy(FilePath)

        /// The folder to edit, which is made if it is not there yet.
        /// - Parameters:
        ///   - folder: of the user's masks.
        ///   - authorFile: where author and licence of a new mask are kept; nil: it has none.
        ///   - assets: for a new mask.
        /// - Returns: with what was made for it, if anything was.
        /// - Throws: what is wrong with the mask, or `FileError` if nothing can be written.
        package func folder(
            in folder: FilePath, authorFile: ConfigurationFile? = ConfigurationFile(named: "author.json"),
            assets: () throws -> AuthoringAssets
        ) throws -> (path: FilePath, draft: PackageDraft?) {
            switch self {
            case .own(let path): return (path, nil)
            case .new:
                let new = PackageDraft.free("my-mask", in: folder)
                var mask = NewMask(assets: try assets())
                // Without them it is still a mask.
                if let kept = try? KeptAuthor(authorFile) { mask.take(kept) }
                _ = try mask.write(.template(.png), to: new)
                return (new, try PackageDraft(new: new))
            case .copy(let path):
                let draft = try PackageDraft(of: path, in: folder)
                return (draft.folder, draft)
            }
        }
    }

    /// A mask that can be chosen.
    package struct Entry {
        package let name: String
        package let folder: FilePath
        package let choice: Choice
        /// What a search is looked for in, in small letters: the name, and the one that the mask gives itself.
        private let words: String

        /// - Parameter label: what a mask of the user's has behind its name; nil: it is none.
        fileprivate init(_ folder: FilePath, label: String?) {
            let isOwn = label != nil
            name = label.map { "\(folder.name) (\($0))" } ?? folder.name.description
            self.folder = folder
            choice = isOwn ? .own(folder) : .copy(folder)
            words = [name, isOwn ? DataFolder.title(of: folder) : nil].compactMap { $0 }.joined(separator: "\n")
                .lowercased()
        }

        package func isFound(by search: String) -> Bool { search.isEmpty || words.contains(search.lowercased()) }
    }

    /// The masks that can be chosen: those that the user worked on last, wherever they are, their other installed ones, and
    /// those of others.
    package static func entries(_ data: DataFolder, recent: RecentMasks) -> [Entry] {
        let own = try? data.ownMasks()
        let masks = data.installedMasks().map(\.folder)
        let recent = recentFolders(recent, data)
        let yours = masks.filter { mask in mask.parent == own && !recent.contains { $0.isSameFile(as: mask) } }
        let others = masks.filter { $0.parent != own }
        let all = recent + yours
        return all.map { mask in
            let isOnlyOne = all.count { $0.name == mask.name } == 1
            return Entry(mask, label: isOnlyOne ? "yours" : "in \(mask.parent.name)")
        } + others.map { Entry($0, label: nil) }
    }

    /// What is edited of a mask that lies anywhere: of those that come with Bauta, a copy.
    private func choice(of folder: FilePath) -> Choice {
        Self.isBundled(folder, in: data) ? .copy(folder) : .own(folder)
    }

    /// Whether a mask comes with Bauta.
    private static func isBundled(_ folder: FilePath, in data: DataFolder) -> Bool {
        let bundled = data.path / "masks"
        return (folder.resolved ?? folder).relative(to: bundled.resolved ?? bundled) != nil
    }

    private static func recentFolders(_ recent: RecentMasks, _ data: DataFolder) -> [FilePath] {
        recent.folders.filter { !isBundled($0, in: data) }
    }

    private let window: DisplayWindow
    private let data: DataFolder
    private let entries: [Entry]
    private let recent = RecentMasks()
    /// Opens a mask's folder from anywhere.
    private let dialog = FileDialog()
    /// Draws the masks on a portrait, as in the live window.
    private let thread: ThumbnailThread
    private var pictures: [Int: PanelPicture] = [:]
    /// Shown in place of thumbnails that have not been drawn yet, and of those that cannot be.
    private lazy var waiting = ThumbnailPlaceholder.waiting()
    private lazy var blank = ThumbnailPlaceholder.blank()
    /// The text that the names of the shown masks contain.
    private var search = ""
    /// An index of `entries`; nil: Enter makes a new mask, or takes the first one that was found.
    private var marked: Int?
    /// Whether that is still to be scrolled into sight.
    private var isMarkedNew = false
    /// How many masks are in a row.
    private var columns = 1
    private var isFirstFrame = true
    private var choice: Choice?
    private var isRunning = true

    /// Of a thumbnail, in the window's units.
    private static let side = 96

    /// - Throws: `GraphicsError` without a display; `FileError` if shaders are missing.
    package init(_ data: DataFolder, scale: Float?) throws {
        window = try DisplayWindow(
            title: "Bauta – masks", width: 680, height: 640, scale: scale, shaders: try data.shaders("FramePresenter"))
        window.steersPanel = true
        self.data = data
        entries = Self.entries(data, recent: recent)
        thread = ThumbnailThread(
            data: data, reference: try data.referenceFace(), mesh: try data.mesh(), side: 2 * Self.side)
    }

    /// Runs until a mask is chosen, the window is closed or `isCancelled` returns true.
    /// - Returns: nil: none is.
    package func choose(isCancelled: () -> Bool) -> Choice? {
        var pace = DrawingPace(isHardware: window.isHardware)
        while isRunning, choice == nil, !isCancelled() {
            for event in window.events() { handle(event) }
            let start = ContinuousClock.now
            window.showsDialog = dialog.isOpen
            if window.isActive || dialog.isWaiting || pictures.count < entries.count { pace.wake(at: start) }
            if window.isVisible, pace.pause(at: start) == .zero, pace.isDue(at: start) {
                draw()
                pace.drew(from: start, to: .now)
            }
            usleep(8_000)
        }
        return choice
    }

    private func handle(_ event: WindowEvent) {
        if case .key = event, dialog.takeLeave() { _ = window.leaveControl() }
        switch event {
        case .closed, .displayLost: isRunning = false
        case .dropped(let path):
            let folder = FilePath(path)
            guard (folder / MaskLoader.manifestName).exists else { break }
            choice = choice(of: folder)
        case .key(let key) where window.steerList(key) || window.steer(key): break
        case .key(let key) where dialog.isOpen: dialog.press(key)
        case .key(let key): press(key)
        }
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .escape where !search.isEmpty: (search, marked) = ("", nil)
        case .escape, .control("q", _): isRunning = false
        case .enter:
            if let entered { choice = entries[entered].choice } else if search.isEmpty { choice = .new }
        case .down: mark(by: marked == nil ? 0 : columns)
        case .up: mark(by: -columns)
        case .control("+", _): _ = window.enlarge(steps: 1)
        case .control("-", _): _ = window.enlarge(steps: -1)
        default: break
        }
    }

    /// The indices of the entries that the search has found.
    private var shown: [Int] {
        entries.indices.filter { entries[$0].isFound(by: search) }
    }

    /// The entry that Enter opens; nil: none.
    private var entered: Int? { marked ?? (search.isEmpty ? nil : shown.first) }

    /// Marks the mask so many places further; above the first row, none.
    private func mark(by step: Int) {
        let shown = shown
        let place = (marked.flatMap { shown.firstIndex(of: $0) } ?? (step < 0 ? -1 : 0)) + step
        guard place < shown.count else { return }
        (marked, isMarkedNew) = (place < 0 ? nil : shown[place], true)
    }

    /// Lets the user choose a mask's folder, or the manifest in it.
    private func openFolder() {
        let manifest = MaskLoader.manifestName
        dialog.open(
            FileDialog.Request(
                title: "The folder of a mask", button: "edit", kind: "masks (\(manifest))",
                lists: { $0.name == manifest },
                folderButton: .init("edit this mask", depth: 1) { $0.name == manifest },
                take: { [unowned self] path in
                    let folder = Folder.exists(path) ? path : path.parent
                    guard (folder / manifest).exists else {
                        throw FileError(.unreadable, path: folder, "is not the folder of a mask: it has no \(manifest)")
                    }
                    choice = choice(of: folder)
                }), at: Self.recentFolders(recent, data).first?.parent ?? FilePath(".").resolved ?? FileDialog.start)
    }

    private func draw() {
        for (index, thumbnail) in thread.take() { pictures[index] = thumbnail.map { PanelPicture($0.pixels) } ?? blank }
        window.show(isMirrored: false) { panels in
            let (width, height) = panels.windowSize
            panels.controls {
                let areDisabled = dialog.isOpen
                panels.area("masks", x: 0, y: 0, width: width, height: height) {
                    panels.disabled(areDisabled) {
                        panels.title("Which mask do you want to edit?")
                        let isEntered = entered == nil && search.isEmpty
                        let isClicked =
                            isEntered
                            ? panels.defaultButton("New mask", icon: .plus) : panels.button("New mask", icon: .plus)
                        if isClicked { choice = .new }
                        panels.hint(isEntered ? "A white face to paint on (Enter)" : "A white face to paint on")
                        panels.sameLine(ifRoomFor: "open a folder …")
                        if panels.button("open a folder …", icon: .folder) { openFolder() }
                        panels.hint("A mask of yours that is not listed")
                        panels.text("Or take one of these. Of those that come with Bauta, you edit a copy of your own.")
                        if isFirstFrame { panels.focusNext() }
                        panels.itemWidth(-1)
                        let searched = search
                        search =
                            panels.searchField(
                                "search", search,
                                hint: "Type a part of the name. Enter opens the first mask, Up and Down go to another"
                            ).text
                        if search != searched { marked = nil }
                        panels.scrolled("list", least: 120) { drawMasks(panels) }
                    }
                }
                if dialog.isOpen { dialog.draw(panels) }
            }
        }
        isFirstFrame = false
    }

    private func drawMasks(_ panels: Panels) {
        guard let waiting else { return }
        let shown = shown
        if shown.isEmpty { panels.text("No mask has this name.") }
        let items = shown.map {
            PanelThumbnail(label: entries[$0].name, detail: "", picture: pictures[$0] ?? waiting, isMarked: nil)
        }
        var seen: [Int] = []
        let input = panels.gallery(
            items, chosen: marked.flatMap { shown.firstIndex(of: $0) },
            entered: entered.flatMap { shown.firstIndex(of: $0) }, isList: false, side: Float(Self.side),
            inSight: isMarkedNew ? marked.flatMap { shown.firstIndex(of: $0) } : nil
        ) {
            seen.append(shown[$0])
        }
        (columns, isMarkedNew) = (input.columns, false)
        if !isFirstFrame {
            var asked: Set<Int> = []
            let all = seen + shown + Array(entries.indices)
            let order = all.filter { pictures[$0] == nil && asked.insert($0).inserted }
            thread.draw(order.map { .init(index: $0, folder: entries[$0].folder, mask: nil) })
        }
        switch input.click {
        case .chosen(let place) where input.isReached: (marked, isMarkedNew) = (shown[place], true)
        // Space on the gallery: pictures have no stars here.
        case .chosen(let place), .marked(let place): choice = entries[shown[place]].choice
        case nil: break
        }
    }
}
