import FaceGeometry

/// Recognises the gestures of one face from its samples, at any frame rate from 12 to 60. It learns how the person's face is
/// at rest. `bauta lab evaluate gestures` measures it, and docs/user/hands-free.md has the figures.
package struct GestureRecognizer: Sendable {
    /// How far a gesture that must be held has got.
    package struct Progress: Equatable, Sendable {
        package let gesture: Gesture
        /// 0…1.
        package let fraction: Float
    }

    private var neutral = NeutralFace()
    private var tiltLeft = HeldGesture(duration: 1)
    private var tiltRight = HeldGesture(duration: 1)
    private var mouth = HeldGesture(duration: 1)
    private var eyes = HeldGesture(duration: 2)
    private var brows = DoubleRaise()
    private var shake = HeadShake()
    /// How closed the eyes are by landmarks and picture together, 0 as at rest, smoothed.
    private var closedness: Float = 0
    /// How high the brows have been lately, above their rest.
    private var browPeak: Float = 0
    /// The times of the first and the last sample.
    private var first: Double?
    private var last: Double?

    /// After a longer break nothing goes on, in seconds.
    private static let longestGap = 0.35
    /// The face at rest is not known before, in seconds.
    private static let warmUp = 0.5

    package init() {}

    /// The gesture that is being held, if it is clear that it is one; the one that has got farthest.
    package var progress: Progress? {
        let all: [(Gesture, HeldGesture)] = [
            (.tiltLeft, tiltLeft), (.tiltRight, tiltRight), (.mouthOpen, mouth), (.eyesShut, eyes),
        ]
        return all.filter { $0.1.progress > 0.2 }.max { $0.1.progress < $1.1.progress }
            .map { Progress(gesture: $0.0, fraction: $0.1.progress) }
    }

    /// - Parameters:
    ///   - sample: nil: the face was not seen. A sample with NaN counts as none.
    ///   - seconds: the time of the frame. Time that goes backwards begins anew.
    /// - Returns: the gesture that is complete with this frame.
    package mutating func update(_ sample: GestureSample?, at seconds: Double) -> Gesture? {
        guard seconds.isFinite else { return nil }
        if let last, seconds <= last || seconds - last > Self.longestGap {
            if seconds == last { return nil }
            interrupt()
        }
        guard let sample, sample.isFinite else { return nil }
        let elapsed = last.map { seconds > $0 ? min(Float(seconds - $0), Float(Self.longestGap)) : 0 } ?? 0
        if seconds < (first ?? .infinity) { first = seconds }
        last = seconds
        neutral.learn(sample, seconds: elapsed)
        let gesture = recognized(sample, elapsed: elapsed, at: seconds)
        guard seconds - (first ?? seconds) >= Self.warmUp else { return nil }
        // One movement is one gesture.
        if gesture != nil { spend() }
        return gesture
    }

    /// Forgets what has begun, for example because the picture shows another scene. The knowledge of the face at rest
    /// stays.
    package mutating func interrupt() {
        for part in [\Self.tiltLeft, \.tiltRight, \.mouth, \.eyes] { self[keyPath: part].reset() }
        brows.reset()
        shake.reset()
        (closedness, browPeak) = (0, 0)
    }

    private mutating func spend() {
        for part in [\Self.tiltLeft, \.tiltRight, \.mouth, \.eyes] { self[keyPath: part].spend() }
        brows.reset()
        shake.reset()
    }

    private mutating func recognized(_ sample: GestureSample, elapsed: Float, at seconds: Double) -> Gesture? {
        // All see every sample.
        let found = [
            shake.update(yaw: sample.yaw, at: seconds) ? Gesture.headShake : nil,
            updateEyes(sample, elapsed: elapsed, at: seconds) ? .eyesShut : nil,
            updateTilt(\.tiltLeft, by: sample.roll - neutral.roll, sample, at: seconds) ? .tiltLeft : nil,
            updateTilt(\.tiltRight, by: neutral.roll - sample.roll, sample, at: seconds) ? .tiltRight : nil,
            mouth.update(begins: sample.mouthOpening > 0.42, goesOn: sample.mouthOpening > 0.36, at: seconds)
                ? .mouthOpen : nil,
            brows.update(
                sample, height: Self.above(sample.browRaise, neutral.browRaise),
                closing: Self.above(sample.eyeClosing, neutral.eyeClosing), at: seconds) ? .browsTwice : nil,
        ]
        return found.compactMap { $0 }.first
    }

    /// - Parameter angle: towards that side; clockwise in the picture is towards the person's left.
    private mutating func updateTilt(
        _ tilt: WritableKeyPath<Self, HeldGesture>, by angle: Float, _ sample: GestureSample, at seconds: Double
    ) -> Bool {
        // A head that is turned far tilts as it nods.
        let isTurned = abs(sample.yaw) > 0.6
        return self[keyPath: tilt].update(
            begins: !isTurned && angle > 0.40, goesOn: !isTurned && angle > 0.30, at: seconds)
    }

    /// Lids narrow in a smile and when somebody looks down, and brows rise when somebody looks down.
    private mutating func updateEyes(_ sample: GestureSample, elapsed: Float, at seconds: Double) -> Bool {
        // Landmarks of lids stay open on some closed eyes, and irises are not seen between others that are open.
        let openness = min(1, max(0, sample.eyeOpenness / neutral.eyeOpenness))
        // No more than what small faces reach, so that it ends as fast as it began.
        let closing = min(0.6, Self.above(sample.eyeClosing, neutral.eyeClosing) + 1 - openness)
        // Over 0.3 s: on faces of 70 pixels both measures fail for some frames.
        closedness += OneEuroFilter.weight(cutoff: 0.53, seconds: elapsed) * (closing - closedness)
        // Somebody who looks down blinks, too, which raises the brows for a frame or two.
        browPeak = max(Self.above(sample.browRaise, neutral.browRaise), browPeak - 0.3 * elapsed)
        let isCalm =
            sample.smile < 0.4 && sample.mouthOpening < 0.4 && sample.pitch > neutral.pitch - 0.12 && browPeak < 0.45
        return eyes.update(begins: isCalm && closedness > 0.3, goesOn: isCalm && closedness > 0.15, at: seconds)
    }

    /// How far a signal is above its rest, 0…1 of what there is above.
    private static func above(_ value: Float, _ rest: Float) -> Float { max(0, (value - rest) / max(0.1, 1 - rest)) }
}
