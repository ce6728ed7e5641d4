/// Recognises two short raises of the brows in a row while the head is still and the eyes are open. Times are seconds.
///
/// The lids count because the height of brows is measured from the centre of the eyes, which sinks when they close: a blink
/// looks like a raise, two blinks like the gesture.
struct DoubleRaise: Sendable {
    /// A raise begins above this and ends below it and below half of its peak.
    private static let beginning: Float = 0.3
    /// What the higher of both raises reaches at least: on small faces at 12 frames/s one of them is measured low.
    private static let peak: Float = 0.5
    private static let durations = 0.06...0.65
    /// From the beginning of the first to the end of the second.
    private static let longest = 1.5
    /// The largest movement of the head meanwhile, in radians, and of the mouth.
    private static let stillness: Float = 0.10
    private static let mouthStillness: Float = 0.2
    /// Lids that close more than this during a raise make it look like one. After it they may: lids go down with the brows.
    private static let closing: Float = 0.3

    private struct Moment: Sendable {
        var seconds: Double
        var sample: GestureSample
    }

    /// The recent events; the oldest first.
    private var recent: [Moment] = []
    private var raise: (start: Double, peak: Float)?
    private var first: (start: Double, peak: Float)?

    /// - Parameter height: of the brows above their own rest, 0…1.
    mutating func update(_ sample: GestureSample, height: Float, closing: Float, at seconds: Double) -> Bool {
        recent.removeAll { seconds - $0.seconds > Self.longest + 0.2 }
        if recent.count >= 256 { recent.removeFirst() }
        recent.append(Moment(seconds: seconds, sample: sample))
        if closing > Self.closing, raise != nil || height > Self.beginning { forget() }
        if let first, seconds - first.start > Self.longest { self.first = nil }
        guard let current = raise else {
            if height > Self.beginning, closing <= Self.closing { raise = (seconds, height) }
            return false
        }
        raise?.peak = max(current.peak, height)
        guard height < min(Self.beginning, 0.5 * current.peak) else { return false }
        raise = nil
        guard Self.durations.contains(seconds - current.start) else {
            first = nil
            return false
        }
        guard let first, max(first.peak, current.peak) > Self.peak, isStill(since: first.start - 0.1) else {
            first = (current.start, current.peak)
            return false
        }
        forget()
        return true
    }

    private func isStill(since start: Double) -> Bool {
        func range(_ part: KeyPath<GestureSample, Float>) -> Float {
            let values = recent.lazy.filter { $0.seconds >= start }.map { $0.sample[keyPath: part] }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        return range(\.yaw) < Self.stillness && range(\.pitch) < Self.stillness && range(\.roll) < Self.stillness
            && range(\.mouthOpening) < Self.mouthStillness
    }

    private mutating func forget() { (raise, first) = (nil, nil) }

    mutating func reset() {
        forget()
        recent = []
    }
}
