import Glibc

/// Finds cuts to another scene: frames that have little in common with those before them, and much with those after.
///
/// Changes are measured relative to contrast (`SceneSignature`), so that a dark stage counts as much as a bright room.
/// A cut stands out from the changes around it, as motion and the shaking of a camera do not. A flash is brighter
/// everywhere, and what was there before comes back. A whip pan goes on. A fade shows nothing in its middle, and then
/// what was there before, or another scene. A frame that mixes two scenes is one of its own, between two cuts: faces of
/// both can be seen in it.
///
/// Constants were chosen on cuts between 21 clips of people in six kinds of light, from normal to a tenth of its brightness,
/// and on the same clips with flashes, fades, exposure that changes, shaking cameras and pans.
package struct SceneCutDetector {
    /// A frame that is known when a frame before it is judged.
    package struct Moment: Sendable {
        package let signature: SceneSignature
        /// The frame's time.
        package let seconds: Double

        package init(_ signature: SceneSignature, seconds: Double) {
            self.signature = signature
            self.seconds = seconds
        }
    }

    /// With the frames that follow, a cut is told from a flash, a pan, and the beginning of a movement.
    private struct Thresholds {
        /// A cut that is at least so distant must be so many times as distant as usual,
        let strong: (distance: Float, ratio: Float)
        /// and a less distant one at least so many times.
        let weak: (distance: Float, ratio: Float)

        static let withLookAhead = Thresholds(strong: (0.4, 3), weak: (0.12, 5))
        static let live = Thresholds(strong: (0.4, 3), weak: (0.15, 8))
    }

    /// How long a flash lasts at most, in seconds: so far back and ahead frames are compared.
    package static let longestFlash = 0.15
    /// At low frame rates at least so many frames, at high ones at most.
    package static let frames = (least: 3, most: 9)

    /// A scene that has changed less from the frame before a flash has come back.
    private static let returning: Float = 0.5
    /// After a strong or a weak cut, the next frame differs from it by at most this part of the cut.
    private static let goingOn = (strong: Float(0.75), weak: Float(0.3))
    /// The least that is usual, in units of distance.
    private static let leastUsual: Float = 0.015
    /// In what time what is usual falls to a third, in seconds.
    private static let memory = 0.2

    /// The last frames that showed something, the newest last; at most `frames.most`.
    private var past: [Moment] = []
    /// The largest distance between successive frames of late; nil until there are some.
    private var usual: Float?
    private var lastSeconds = -Double.infinity
    /// Whether the last frame mixes the scene before with that of the next frame. In a live picture that is never known.
    package private(set) var isMixture = false

    package init() { past.reserveCapacity(Self.frames.most + 1) }

    /// Takes the next frame.
    /// - Parameter following: the frames after it, as far as they are known, the next one first; none in a live picture.
    /// - Returns: whether the frame shows another scene than the one before. After a mixture, the next one always does.
    package mutating func isCut(_ moment: Moment, before following: [Moment]) -> Bool {
        let (frame, seconds) = (moment.signature, moment.seconds)
        guard let last = past.last, let distance = last.signature.distance(to: frame) else {
            // Black, white or fog: the next frame that shows something is compared with the last one that did.
            if past.isEmpty, frame.showsSomething { past.append(moment) }
            lastSeconds = seconds
            return false
        }
        let fading = Float(exp(-max(0, min(10, (seconds - lastSeconds) / Self.memory))))
        lastSeconds = seconds
        // A first change may be usual.
        let usual = max(Self.leastUsual, self.usual.map { $0 * fading } ?? 0.1)
        if isMixture {
            isMixture = false
            self.usual = Self.leastUsual
            append(moment, isCut: true)
            return true
        }
        isMixture = mixesScenes(moment, following, usual)
        if isMixture { return true }
        let (hasChanged, isStrong) = standsOut(distance, usual, following.isEmpty ? .live : .withLookAhead)
        let isChange = hasChanged && !returns(moment, after: distance)
        if isChange, following.isEmpty, mayBeFlash(moment, after: last) { return false }
        let isCut = isChange && stays(moment, following[...], after: distance, isStrong: isStrong)
        // Where the frames after a cut are known, it is none of the changes that are usual.
        self.usual = isCut && !following.isEmpty ? Self.leastUsual : max(usual, distance)
        append(moment, isCut: isCut)
        return isCut
    }

    private mutating func append(_ moment: Moment, isCut: Bool) {
        if isCut { past.removeAll(keepingCapacity: true) }
        if past.count == Self.frames.most { past.removeFirst() }
        past.append(moment)
    }

    private func standsOut(
        _ distance: Float, _ usual: Float, _ thresholds: Thresholds
    ) -> (hasChanged: Bool, isStrong: Bool) {
        let isStrong = distance >= thresholds.strong.distance && distance > thresholds.strong.ratio * usual
        let isWeak = distance >= thresholds.weak.distance && distance > thresholds.weak.ratio * usual
        return (isStrong || isWeak, isStrong)
    }

    /// Whether a frame between two scenes shows both.
    private func mixesScenes(_ moment: Moment, _ following: [Moment], _ usual: Float) -> Bool {
        guard let last = past.last, let next = following.first,
            moment.signature.isMixture(of: last.signature, and: next.signature),
            let distance = last.signature.distance(to: next.signature)
        else { return false }
        // In a slow zoom, too, each frame is nearly the mean of those beside it: after a cut, the picture stands still.
        return standsOut(distance, usual, .withLookAhead).isStrong && !returns(next, after: distance)
            && stays(next, following.dropFirst(), after: distance, isStrong: false)
    }

    /// Whether a frame after a flash shows again what one showed shortly before it. (Without a flash it does so after a short
    /// shot of something else.)
    private func returns(_ moment: Moment, after distance: Float) -> Bool {
        guard let last = past.last, last.signature.isFlash(after: moment.signature) else { return false }
        return past.dropLast().enumerated().contains { index, old in
            let isRecent =
                past.count - index <= Self.frames.least || moment.seconds - old.seconds <= Self.longestFlash + 1e-3
            guard isRecent, let change = old.signature.distance(to: moment.signature) else { return false }
            return change < Self.returning * distance
        }
    }

    /// Whether the frames after a change do not show something else again, nor, after a flash, what was there before.
    private func stays(
        _ moment: Moment, _ following: ArraySlice<Moment>, after distance: Float, isStrong: Bool
    ) -> Bool {
        guard let last = past.last else { return true }
        let limit = (isStrong ? Self.goingOn.strong : Self.goingOn.weak) * distance
        if let next = following.first, let change = moment.signature.distance(to: next.signature), change > limit {
            return false
        }
        guard moment.signature.isFlash(after: last.signature) else { return true }
        return !following.contains {
            last.signature.distance(to: $0.signature).map { $0 < Self.returning * distance } ?? false
        }
    }

    /// Whether a live picture has become so much brighter that it may be a flash: then it is waited for its end.
    private func mayBeFlash(_ moment: Moment, after last: Moment) -> Bool {
        moment.seconds - last.seconds < Self.longestFlash && moment.signature.isFlash(after: last.signature)
    }
}
