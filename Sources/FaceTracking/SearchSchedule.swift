import FaceGeometry

/// When to look for new faces, and how small. Searching costs much more than following, so it is done the more rarely
/// the more faces are known.
package struct SearchSchedule: Sendable {
    /// The smallest face that is looked for, in shares of the picture's height.
    package let smallestFace: Float

    /// A quick look finds faces of this share of the picture's height, at a fraction of the cost.
    package static let quickFace: Float = 0.22
    /// Seconds between searches: when nobody is there, shortly after somebody was lost, and otherwise.
    package static let whenAlone = 0.08
    package static let afterLoss = 0.10
    package static let whenFollowing = 0.5
    /// For so many seconds a lost face is looked for.
    package static let lossDuration = 3.0
    /// One look in so many is a thorough one.
    package static let thoroughEvery = 3
    /// On a thread of its own, a search rests for so many times as long as it took: the share of a processor that it
    /// takes is bounded however slow the machine is.
    package static let restWhenAlone = 0.5
    package static let restWhenFollowing = 3.0

    private var lastStart = -Double.infinity
    private var lastLoss = -Double.infinity
    private var count = 0

    package init(smallestFace: Float) { self.smallestFace = smallestFace }

    package mutating func noteLoss(at seconds: Double) { lastLoss = seconds }

    /// Searches at the very next opportunity, quickly first.
    package mutating func hurry() {
        lastStart = -.infinity
        count = 0
    }

    /// The smallest face to look for now, in shares of the picture's height; nil when it is not time yet.
    /// - Parameter cost: what the last search took, in seconds; 0 when that shall not matter.
    package mutating func next(at seconds: Double, knownFaces: Int, cost: Double) -> Float? {
        let isAlone = knownFaces == 0
        let hasLost = seconds - lastLoss < Self.lossDuration
        let interval = isAlone ? Self.whenAlone : hasLost ? Self.afterLoss : Self.whenFollowing
        let rest = cost * (1 + (isAlone || hasLost ? Self.restWhenAlone : Self.restWhenFollowing))
        // Half a millisecond of grace: frame times are rounded.
        guard seconds - lastStart >= max(interval, rest) - 0.0005 else { return nil }
        lastStart = seconds
        count += 1
        return count % Self.thoroughEvery == 0 ? smallestFace : max(smallestFace, Self.quickFace)
    }
}
