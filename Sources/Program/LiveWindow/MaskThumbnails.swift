import Display

/// The pictures in the panel from which the user chooses a mask: a sample portrait with each mask. Another thread draws
/// them, so that the panel does not wait.
final class MaskThumbnails {
    /// The width and height in the panel, in the window's units.
    static let side = 96

    private let thread: ThumbnailThread
    /// By index of `MaskList.entries`, to which masks are only appended.
    private var pictures: [Int: PanelPicture] = [:]
    /// Why some are blank, for the user; nil: none is, or nobody knows.
    private(set) var trouble: String?
    /// Shown in place of thumbnails that have not been drawn yet, and of those that cannot be.
    private lazy var waiting = Self.made(ThumbnailPlaceholder.waiting)
    private lazy var blank = Self.made(ThumbnailPlaceholder.blank)

    /// - Parameter thread: draws them, with twice as many pixels.
    init(_ thread: ThumbnailThread) { self.thread = thread }

    /// Takes what has been drawn, and has the others drawn. To be called for each frame with the panel.
    /// - Parameters:
    ///   - entries: of `MaskList`.
    ///   - first: the masks whose thumbnails are drawn first, in this order: indices of `entries`.
    ///   - isOnlyFirst: whether the others are not drawn at all.
    func update(_ entries: [MaskList.Entry], first: [Int], isOnlyFirst: Bool = false) {
        for (index, thumbnail) in thread.take() {
            if thumbnail == nil, trouble == nil { trouble = thread.trouble }
            pictures[index] = thumbnail.map { PanelPicture($0.pixels) } ?? blank
        }
        var wanted = Set<Int>()
        let all = isOnlyFirst ? first : first + Array(entries.indices)
        let order = all.filter { pictures[$0] == nil && wanted.insert($0).inserted }
        thread.draw(order.map { .init(index: $0, folder: entries[$0].folder, mask: entries[$0].mask) })
    }

    /// Nobody sees them: no more are drawn.
    func rest() { thread.draw([]) }

    /// The thumbnail of a mask, or dots until it has been drawn.
    /// - Parameter index: of `MaskList.entries`.
    func picture(_ index: Int) -> PanelPicture { pictures[index] ?? waiting }

    private static func made(_ make: () -> PanelPicture?) -> PanelPicture {
        guard let picture = make() else { preconditionFailure() }
        return picture
    }
}
