/// Smooths the landmarks of one face as they come, with little lag.
///
/// The head's motion and the face's expression go through 1 € filters of their own (see `OneEuroFilter`), in units of
/// the face's width and by time, so that the distance to the camera and the frame rate make no difference. Unlike in
/// the paper, the speed of an expression is taken from the distance to the smoothed value at once: the first frame of a
/// blink already counts as fast.
///
/// Trembling is seen on a face that is nearly still, lag on one that moves on: when the head goes somewhere, nothing is
/// smoothed any more.
package struct LandmarkSmoother: Sendable {
    /// Speeds in widths of the face a second. The values were found on a webcam clip (docs/decisions/0008).
    package struct Settings: Sendable {
        package var position = OneEuroFilter.Settings(
            minimumCutoff: 2.9, speedCoefficient: 95, maximumCutoff: 7.9)
        package var scaleAndRoll = OneEuroFilter.Settings(
            minimumCutoff: 2.6, speedCoefficient: 95, maximumCutoff: 7.9)
        package var expression = OneEuroFilter.Settings(
            minimumCutoff: 2.5, speedCoefficient: 8, maximumCutoff: 12)

        package init() {}
    }

    /// In hertz: two or three frames decide how fast the head is.
    private static let velocityCutoff: Float = 3.8

    /// Speeds in widths of the face a second.
    private enum Speed {
        /// A change by this from one frame to the next is rather a jump; on a lively head, by more.
        static let jump: Float = 3
        static let jumpPerAgitation: Float = 30
        static let lively: Float = 0.4
        /// Above these, smoothing ends: for a head that goes somewhere, and for one that is shaken.
        static let drift: Float = 0.38
        static let agitation: Float = 0.85
        /// Cutoff boost in hertz for each unit above.
        static let driftBoost: Float = 100
        static let agitationBoost: Float = 200
        /// A step faster than this is at most this fraction of the face's own, or as long as the face's last.
        static let calm: Float = 1
        static let stepFraction: Float = 0.87
    }
    /// In hertz: whether the head goes somewhere, or is shaken, shows in half a second.
    private static let driftCutoff: Float = 0.4
    private static let agitationCutoff: Float = 1

    private let settings: Settings
    /// How much longer than usual (1) things are smoothed. 0: not at all.
    package var strength: Float = 1
    private let mean: MeanFace
    private var motion: FaceMotion?
    private var velocity = Point.zero
    private var drift = Point.zero
    private var agitation: Float = 0
    private var lastCenter = Point.zero
    private var lastSpeed: Float = 0

    package init(mean: MeanFace, settings: Settings = Settings()) {
        self.mean = mean
        self.settings = settings
    }

    /// Forgets what was.
    package mutating func reset() { motion = nil }

    /// - Parameter seconds: since the landmarks before.
    package mutating func smooth(_ landmarks: Landmarks, seconds: Float) -> Landmarks {
        let new = FaceMotion(landmarks, mean: mean)
        guard var smoothed = motion, seconds > 0 else {
            if motion == nil {
                motion = new
                velocity = .zero
                drift = .zero
                agitation = 0
                lastSpeed = 0
                lastCenter = new.center
            }
            return motion?.landmarks ?? landmarks
        }
        let width = max(new.width, 1e-3)
        // Twice the smoothing is what this would be at twice the frame rate.
        let seconds = seconds / max(strength, 1e-3)
        let momentary = (new.center - lastCenter) / (width * seconds)
        let acceleration = momentary - velocity
        velocity += OneEuroFilter.weight(cutoff: Self.velocityCutoff, seconds: seconds) * acceleration
        drift += OneEuroFilter.weight(cutoff: Self.driftCutoff, seconds: seconds) * (momentary - drift)
        agitation +=
            OneEuroFilter.weight(cutoff: Self.agitationCutoff, seconds: seconds) * (momentary.length - agitation)
        lastCenter = new.center
        let cutoffBoost =
            Speed.driftBoost * max(0, drift.length - Speed.drift)
            + Speed.agitationBoost * max(0, agitation - Speed.agitation)
        // A camera that drops a frame makes the face jump; spread over two frames that is not seen.
        let jump = acceleration.length / (Speed.jump + Speed.jumpPerAgitation * max(0, agitation - Speed.lively))
        let speed = velocity.length
        var step =
            settings.position.weight(speed: speed, seconds: seconds, cutoffBoost: cutoffBoost) / (1 + jump * jump)
            * (new.center - smoothed.center)
        // A single fast nod: what is behind must not be made up for by a step longer than the face's own.
        let limit = max(Speed.calm, Speed.stepFraction * momentary.length, lastSpeed) * width * seconds
        if step.length > limit, agitation < Speed.agitation { step = limit / step.length * step }
        smoothed.center += step
        lastSpeed = momentary.length
        smoothed.linear +=
            settings.scaleAndRoll.weight(speed: speed, seconds: seconds, cutoffBoost: cutoffBoost)
            * (new.linear - smoothed.linear)
        for index in smoothed.expression.indices {
            let offset = new.expression[index] - smoothed.expression[index]
            let speed = offset.length / (mean.width * seconds)
            smoothed.expression[index] +=
                settings.expression.weight(speed: speed, seconds: seconds, cutoffBoost: cutoffBoost) * offset
        }
        motion = smoothed
        return smoothed.landmarks ?? landmarks
    }
}
