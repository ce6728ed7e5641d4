import FaceGeometry

/// Decides when to search for new faces, and how small. A search costs much more than following a face, so searches are
/// rarer while faces are tracked.
package struct SearchSchedule: Sendable {
    /// The smallest face of a thorough search, in picture heights.
    package var smallestFace: Float

    /// The smallest face of a quick search, in picture heights. It costs a fraction of a thorough one.
    package static let quickFace: Float = 0.22
    /// Seconds between searches: without tracks, for `lossDuration` after a track was lost, and otherwise.
    package static let whenIdle = 0.08
    package static let afterLoss = 0.10
    package static let whenFollowing = 0.5
    /// Seconds between searches by a thorough detector while a face that is followed is in doubt.
    package static let whenInDoubt = 0.3
    /// How long searches stay frequent after a track was lost, in seconds.
    package static let lossDuration = 3.0
    /// Seconds between searches for smaller faces.
    package static let whenCounting = 2.0
    /// Seconds in a scene before the first search for smaller faces.
    private static let beforeCounting = 0.4
    /// In picture heights: what a search for smaller faces looks for at least, and where that takes little time, because the
    /// smallest face is large in a small picture.
    private static let (leastCounted, quicklyCounted): (Float, Float) = (0.03, 0.08)
    /// Every Nth search is thorough.
    package static let thoroughEvery = 3
    /// Pause after a search in the background, as a multiple of its duration: bounds the load on slow machines.
    package static let restWhenIdle = 0.5
    package static let restWhenFollowing = 3.0

    /// Whether the search that `next` has asked for last is a thorough one, looks for a face that a thorough detector alone
    /// knew, or for one in doubt.
    package private(set) var wantsThoroughDetector = false
    private var hasLostUnconfirmedFace = false
    /// Whether smaller faces are looked for at times, to count those that are not followed.
    package var countsSmallerFaces = false
    /// Whether the search that `next` has asked for last looks for smaller faces.
    package private(set) var isCounting = false
    /// How many the last search for smaller faces has found, without those that are followed.
    package private(set) var smallerFaces = 0
    private var lastCounting: Double?

    private let startsThoroughly: Bool
    private var lastStart = -Double.infinity
    private var lastLoss = -Double.infinity
    private var lastThorough = -Double.infinity
    private var count = 0

    /// - Parameter startsThoroughly: whether the first search of a scene is a thorough one. Live, large faces are found sooner by
    ///   two quick ones.
    package init(smallestFace: Float, startsThoroughly: Bool = false) {
        self.smallestFace = smallestFace
        self.startsThoroughly = startsThoroughly
    }

    /// - Parameter wasConfirmed: whether the landmark model knew the face.
    package mutating func noteLoss(at seconds: Double, wasConfirmed: Bool = true) {
        lastLoss = seconds
        hasLostUnconfirmedFace = hasLostUnconfirmedFace || !wasConfirmed
    }

    /// A new scene: makes the next call of `next` start a search.
    package mutating func hurry() {
        (lastStart, lastThorough) = (-.infinity, -.infinity)
        count = 0
        (lastCounting, smallerFaces) = (nil, 0)
    }

    package mutating func note(smallerFaces count: Int) { smallerFaces = count }

    /// The smallest face to search for now, in picture heights; nil when no search is due.
    /// - Parameters:
    ///   - isInDoubt: whether a face that is followed is perhaps none any more.
    ///   - cost: duration of the last search, in seconds; 0 when frames wait for searches.
    package mutating func next(at seconds: Double, knownFaces: Int, isInDoubt: Bool = false, cost: Double) -> Float? {
        let isIdle = knownFaces == 0
        let hasLost = seconds - lastLoss < Self.lossDuration
        let interval = isIdle ? Self.whenIdle : hasLost ? Self.afterLoss : Self.whenFollowing
        let rest = cost * (1 + (isIdle || hasLost ? Self.restWhenIdle : Self.restWhenFollowing))
        // Half a millisecond of tolerance: frame times are rounded.
        guard seconds - lastStart >= max(interval, rest) - 0.0005 else { return nil }
        lastStart = seconds
        count += 1
        let isThorough = count % Self.thoroughEvery == (startsThoroughly ? 1 : 0)
        let answersDoubt = isInDoubt && seconds - lastThorough >= Self.whenInDoubt - 0.0005
        // It takes longer, and no search for a lost face is to wait for it. Who is alone and too far away is to be told so.
        isCounting = !hasLost && !isInDoubt && isToCount(at: seconds)
        wantsThoroughDetector = isThorough || isCounting || hasLostUnconfirmedFace || answersDoubt
        if wantsThoroughDetector { lastThorough = seconds }
        hasLostUnconfirmedFace = false
        if !countsSmallerFaces { smallerFaces = 0 }
        if isCounting { return Self.countedFace(below: smallestFace) }
        return isThorough ? smallestFace : max(smallestFace, Self.quickFace)
    }

    /// The smallest face that is counted, in picture heights.
    /// - Parameter smallestFace: the smallest that is followed.
    package static func countedFace(below smallestFace: Float) -> Float {
        max(min(smallestFace / 2, quicklyCounted), leastCounted)
    }

    /// Not at once: the first frame of a scene waits for its search.
    private mutating func isToCount(at seconds: Double) -> Bool {
        guard countsSmallerFaces, smallestFace > Self.leastCounted else {
            smallerFaces = 0
            return false
        }
        guard let last = lastCounting else {
            lastCounting = seconds - Self.whenCounting + Self.beforeCounting
            return false
        }
        guard seconds - last >= Self.whenCounting else { return false }
        lastCounting = seconds
        return true
    }
}
