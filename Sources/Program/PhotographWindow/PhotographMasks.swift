import Compositing
import Display
import Files
import LiveWindow

/// The masks of the window, and their thumbnails.
final class PhotographMasks {
    let masks: [(name: String, folder: FilePath)]
    private(set) var choice: MaskChoice
    /// In the order in which they were worn at first.
    private let first: [Int]
    /// How faces are covered in place of masks; nil: they wear masks.
    var cover: FaceCover.Style?
    private let thread: ThumbnailThread
    private var pictures: [Int: PanelPicture] = [:]
    /// Shown in place of thumbnails that have not been drawn yet, and of those that cannot be.
    private lazy var waiting = ThumbnailPlaceholder.waiting()
    private lazy var blank = ThumbnailPlaceholder.blank()
    /// Whether the current mask is still to be scrolled into sight.
    private var isNew = true
    /// Whether the first mask that the search has found is still to be scrolled into sight.
    private var isFoundNew = false
    private var isFirstFrame = true
    /// The text that the names of the shown masks contain.
    private var search = ""
    /// Whether the arrow keys have put on one of them since the last typing.
    private var isReached = false
    /// Whether the field for it takes the keyboard in the next frame.
    var focusesSearch = false
    /// Whether Enter puts on what has been found, in place of masking.
    private(set) var isSearching = false
    private var pointing = GalleryPointing()
    /// What was said last of who wears what in a photograph.
    private var lastTold: (text: WornText, photograph: FilePath?)?
    /// Of what the panel says below the masks, in the last frame, in the window's units.
    var heightBelow: Float = 0

    /// In the window's units; thumbnails are drawn with twice as many pixels.
    static let side = 96

    /// - Parameters:
    ///   - masks: at least one.
    ///   - chosen: indices of them, at least one.
    init(_ masks: [(name: String, folder: FilePath)], chosen: [Int], thread: ThumbnailThread) {
        (self.masks, self.thread) = (masks, thread)
        choice = MaskChoice(count: masks.count, chosen: chosen)
        first = choice.all
    }

    /// Of the masks that were chosen at first.
    var firstFolders: [FilePath] { first.map { masks[$0].folder } }
    /// Whether other masks are chosen now than at first.
    var hasOthersThanAtFirst: Bool { choice.all != first }

    /// Of the chosen masks, in the order in which people wear them.
    var names: String { choice.all.map { masks[$0].name }.joined(separator: ", ") }
    var folders: [FilePath] { choice.all.map { masks[$0].folder } }
    var count: Int { choice.all.count }

    /// What a face wears, for the user.
    /// - Parameter folder: of a mask; nil: none.
    func name(_ folder: FilePath?) -> String {
        guard let folder else { return "no mask" }
        return masks.first { $0.folder == folder }?.name ?? "\(folder.name)"
    }

    /// What is said of who wears what. While a photograph is drawn anew, that stays: texts that come and go disturb.
    /// - Parameter text: nil: it is not known yet.
    func told(_ text: WornText?, of photograph: FilePath?) -> WornText {
        if let text { lastTold = (text, photograph) }
        guard let lastTold, lastTold.photograph == photograph else {
            return WornText([], masks: names, count: count) { _ in "" }
        }
        return lastTold.text
    }

    /// What was said last is no longer so.
    func forgetTold() { lastTold = nil }

    /// Makes the mask so many places further the current one; while somebody searches, of those that are found.
    func move(by step: Int) {
        choice.move(by: step, among: shown)
        (isNew, isReached) = (true, search != "")
    }

    /// Makes the next mask whose name begins with a letter the current one.
    /// - Returns: whether there is another one.
    func move(toNextBeginning letter: Character) -> Bool {
        guard choice.move(toNextBeginning: letter, of: masks.map(\.name)) else { return false }
        isNew = true
        return true
    }

    /// Keeps the current mask when another one becomes current, or no longer.
    /// - Returns: a sentence for the user.
    func toggleKept() -> String {
        let name = masks[choice.current].name
        guard shown.contains(choice.current) else { return "\(name) is not among the masks that are shown" }
        choice.toggleKept()
        return choice.kept.contains(choice.current)
            ? "\(name) is kept. Choose further masks" : "\(name) is not kept"
    }

    /// Those that the search has found.
    private var shown: [Int] {
        masks.indices.filter { search.isEmpty || masks[$0].name.lowercased().contains(search.lowercased()) }
    }

    /// The folder of the first mask that the search has found. It is nil if nothing was searched for or found, or if the arrow
    /// keys have put on another mask since.
    var firstFound: FilePath? { search.isEmpty || isReached ? nil : shown.first.map { masks[$0].folder } }

    /// Makes a mask the current one.
    /// - Parameter replaced: the folder of one that is no longer chosen then, unless another mask is to be added; nil: all stay.
    func choose(_ folder: FilePath, inPlaceOf replaced: FilePath?) {
        guard let new = masks.firstIndex(where: { $0.folder == folder }) else { return }
        let old = masks.firstIndex { $0.folder == replaced }
        if let old { choice.replace(old, with: new) } else { choice.move(to: new) }
        isNew = true
    }

    /// Whether the user points at the pictures, so that letters begin a search.
    var isPointedAt: Bool { pointing.isOn }

    /// All masks are shown again.
    func endSearch() {
        if search != "" { (search, isNew) = ("", true) }
    }

    /// - Parameter isTyping: whether the field has the keyboard, once it is drawn.
    func drawSearch(_ panels: Panels, isTyping: @autoclosure () -> Bool) {
        if focusesSearch { panels.focusNext() }
        focusesSearch = false
        let field = panels.searchField(
            "search (Ctrl+F)", search,
            hint:
                "Ctrl+F, or type while the mouse is over the masks. Enter puts on the first that is found, Up and Down "
                + "another one.")
        // What was looked for is found, and where it lies among all is seen.
        if search != "", field.text == "" || (field.isEntered && !shown.isEmpty) {
            (search, isNew) = ("", true)
        } else {
            if search != field.text { (isFoundNew, isReached) = (true, false) }
            search = field.text
        }
        isSearching = !search.isEmpty && isTyping()
    }

    /// - Returns: whether other masks are chosen.
    func draw(_ panels: Panels) -> Bool {
        for (index, thumbnail) in thread.take() { pictures[index] = thumbnail.map { PanelPicture($0.pixels) } ?? blank }
        guard let waiting else { return false }
        let shown = shown
        if shown.isEmpty { panels.text("No mask has this name.") }
        let items = shown.map {
            PanelThumbnail(label: masks[$0].name, detail: "", picture: pictures[$0] ?? waiting, isMarked: nil)
        }
        let entered = isSearching && !isReached && !shown.isEmpty ? 0 : nil
        var seen: [Int] = []
        let input = panels.gallery(
            items, chosen: shown.firstIndex(of: choice.current),
            others: choice.kept.compactMap { shown.firstIndex(of: $0) },
            entered: entered, isList: false, side: Float(Self.side),
            inSight: isFoundNew ? entered : isNew && !isFirstFrame ? shown.firstIndex(of: choice.current) : nil
        ) {
            seen.append(shown[$0])
        }
        pointing.update(input.hasMouse, mouseRest: panels.mouseRest)
        if !isFirstFrame { isNew = false }
        isFoundNew = false
        isFirstFrame = false
        var asked: Set<Int> = []
        let order = (seen + Array(masks.indices)).filter { pictures[$0] == nil && asked.insert($0).inserted }
        thread.draw(order.map { .init(index: $0, folder: masks[$0].folder, mask: nil) })
        let before = choice
        switch input.click {
        case .chosen(let place) where input.isReached: choice.move(to: shown[place])
        case .chosen(let place) where input.isControlDown: choice.toggle(shown[place])
        case .chosen(let place): choice.choose(shown[place])
        // Space on the gallery: pictures have no stars here.
        case .marked: if shown.contains(choice.current) { choice.toggleKept() }
        case nil: break
        }
        if input.isReached { isNew = true }
        return choice != before
    }
}
