import Display
import Files
import LiveWindow

/// The masks of the window, and their thumbnails.
final class PhotographMasks {
    let masks: [(name: String, folder: FilePath)]
    private(set) var choice: MaskChoice
    private let thread: ThumbnailThread
    private var pictures: [Int: PanelPicture] = [:]
    /// Shown in place of thumbnails that have not been drawn yet, and of those that cannot be.
    private lazy var waiting = ThumbnailPlaceholder.waiting()
    private lazy var blank = ThumbnailPlaceholder.blank()
    /// Whether the current mask is still to be scrolled into sight.
    private var isNew = true
    private var isFirstFrame = true

    /// In the window's units; thumbnails are drawn with twice as many pixels.
    static let side = 96

    /// - Parameters:
    ///   - masks: at least one.
    ///   - chosen: indices of them, at least one.
    init(_ masks: [(name: String, folder: FilePath)], chosen: [Int], thread: ThumbnailThread) {
        (self.masks, self.thread) = (masks, thread)
        choice = MaskChoice(count: masks.count, chosen: chosen)
    }

    /// Of the chosen masks, in the order in which people wear them.
    var names: String { choice.all.map { masks[$0].name }.joined(separator: ", ") }
    var folders: [FilePath] { choice.all.map { masks[$0].folder } }
    var count: Int { choice.all.count }

    /// Makes the mask so many places further the current one.
    func move(by step: Int) {
        choice.move(by: step)
        isNew = true
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
        choice.toggleKept()
        let name = masks[choice.current].name
        return choice.kept.contains(choice.current)
            ? "\(name) is kept. Choose further masks" : "\(name) is not kept"
    }

    /// - Returns: whether other masks are chosen.
    func draw(_ panels: Panels) -> Bool {
        for (index, thumbnail) in thread.take() { pictures[index] = thumbnail.map { PanelPicture($0.pixels) } ?? blank }
        guard let waiting else { return false }
        let items = masks.indices.map {
            PanelThumbnail(label: masks[$0].name, detail: "", picture: pictures[$0] ?? waiting, isMarked: nil)
        }
        var seen: [Int] = []
        let input = panels.gallery(
            items, chosen: choice.current, others: choice.kept, isList: false, side: Float(Self.side),
            inSight: isNew && !isFirstFrame ? choice.current : nil
        ) {
            seen.append($0)
        }
        if !isFirstFrame { isNew = false }
        isFirstFrame = false
        var asked: Set<Int> = []
        let order = (seen + Array(masks.indices)).filter { pictures[$0] == nil && asked.insert($0).inserted }
        thread.draw(order.map { .init(index: $0, folder: masks[$0].folder, mask: nil) })
        let before = choice
        switch input.click {
        case .chosen(let index) where input.isReached: choice.move(to: index)
        case .chosen(let index) where input.isControlDown: choice.toggle(index)
        case .chosen(let index): choice.choose(index)
        // Space on the gallery: pictures have no stars here.
        case .marked: choice.toggleKept()
        case nil: break
        }
        if input.isReached { isNew = true }
        return choice != before
    }
}
