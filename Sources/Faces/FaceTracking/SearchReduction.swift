import Pixels

/// Chooses the size at which live frames are searched for faces, by the time that the searches take.
struct SearchReduction {
    /// A search that takes longer is followed by one of a smaller picture, in seconds.
    static let longestSearch = 0.13
    /// A larger picture is searched if that will probably take no longer, in seconds,
    private static let quickSearch = 0.08
    /// and so many searches in a row have said so.
    private static let quickSearches = 20
    /// By how much pictures are reduced, along one axis. There are few steps, because a network takes time for each size that is
    /// new to it.
    private static let steps: [Float] = [1, 1.5, 2, 3, 4, 6, 8]
    /// The longer side of what is searched is no shorter, in pixels: in less, too few faces would be found.
    private static let shortestSide: Float = 320
    /// The first search is of a picture of at most so many pixels.
    private static let firstPixels: Float = 262_144

    /// An index of `steps`; nil: nothing has been searched yet.
    private var step: Int?
    /// The largest one that frames may have.
    private var lastStep = 0
    /// Whether the network knows the size already.
    private var isKnown = false
    /// Searches in a row that were quick enough for larger pictures.
    private var quickCount = 0

    /// - Returns: pixels of the frame for a pixel of what is to be searched, along one axis; at least 1.
    mutating func chosen(for frame: borrowing PixelBuffer) -> Float {
        let (pixels, side) = (Float(frame.width * frame.height), Float(max(frame.width, frame.height)))
        lastStep = Self.steps.lastIndex { side / $0 >= Self.shortestSide } ?? 0
        let first = Self.steps.firstIndex { pixels / ($0 * $0) <= Self.firstPixels } ?? lastStep
        let chosen = min(step ?? first, lastStep)
        step = chosen
        return Self.steps[chosen]
    }

    /// Takes the time that a search of the chosen size has taken, in seconds.
    mutating func note(_ cost: Double) {
        guard let now = step else { return }
        // The first one took time for the new size.
        guard isKnown else { return isKnown = true }
        if cost > Self.longestSearch {
            (step, quickCount) = (min(now + 1, lastStep), 0)
            isKnown = now == lastStep
        } else if now > 0 {
            let ratio = Double(Self.steps[now] / Self.steps[now - 1])
            quickCount = cost * ratio * ratio < Self.quickSearch ? quickCount + 1 : 0
            if quickCount > Self.quickSearches { (step, isKnown, quickCount) = (now - 1, false, 0) }
        }
    }
}
