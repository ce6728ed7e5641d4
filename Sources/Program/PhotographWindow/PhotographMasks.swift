import Display
import Files
import LiveWindow
import Pixels

/// The masks of the window, and their thumbnails.
final class PhotographMasks {
    let masks: [(name: String, folder: FilePath)]
    /// The one that is chosen, as an index.
    private(set) var chosen: Int
    private let thread: ThumbnailThread
    private var pictures: [Int: PanelPicture] = [:]
    private var placeholder: PanelPicture?
    /// Whether the chosen mask is still to be scrolled into sight.
    private var isNew = true
    private var isFirstFrame = true

    /// In the window's units; thumbnails are drawn with twice as many pixels.
    static let side = 96

    /// - Parameters:
    ///   - masks: at least one.
    ///   - chosen: an index of them.
    init(_ masks: [(name: String, folder: FilePath)], chosen: Int, thread: ThumbnailThread) {
        (self.masks, self.chosen, self.thread) = (masks, chosen, thread)
    }

    var name: String { masks[chosen].name }
    var folder: FilePath { masks[chosen].folder }

    /// Chooses the mask so many places further; past either end the order wraps around.
    func move(by step: Int) {
        chosen = ((chosen + step) % masks.count + masks.count) % masks.count
        isNew = true
    }

    /// - Returns: whether another mask is chosen.
    func draw(_ panels: Panels) -> Bool {
        for (index, thumbnail) in thread.take() {
            if let thumbnail { pictures[index] = PanelPicture(thumbnail.pixels) }
        }
        guard let blank = placeholder ?? Self.blank() else { return false }
        placeholder = blank
        let items = masks.indices.map {
            PanelThumbnail(label: masks[$0].name, detail: "", picture: pictures[$0] ?? blank, isMarked: nil)
        }
        var seen: [Int] = []
        let input = panels.gallery(
            items, chosen: chosen, isList: false, side: Float(Self.side), inSight: isNew && !isFirstFrame ? chosen : nil
        ) {
            seen.append($0)
        }
        if !isFirstFrame { isNew = false }
        isFirstFrame = false
        var asked: Set<Int> = []
        let order = (seen + Array(masks.indices)).filter { pictures[$0] == nil && asked.insert($0).inserted }
        thread.draw(order.map { .init(index: $0, folder: masks[$0].folder, mask: nil) })
        guard case .chosen(let index) = input.click, index != chosen else { return false }
        chosen = index
        isNew = input.isReached
        return true
    }

    private static func blank() -> PanelPicture? {
        guard var pixels = try? PixelBuffer(width: 1, height: 1, format: .rgba8) else { return nil }
        pixels.fill(SIMD4(48, 48, 52, 255))
        return PanelPicture(pixels)
    }
}
