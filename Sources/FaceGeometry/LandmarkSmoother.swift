/// Smooths the landmarks of one face as they come, with little lag.
///
/// The head's motion and the face's expression go through 1 € filters of their own (see `OneEuroFilter`), in units of
/// the face's width and by time, so that the distance to the camera and the frame rate make no difference. Unlike in
/// the paper, the speed of an expression is taken from the distance to the smoothed value at once: the first frame of a
/// blink already counts as fast.
package struct LandmarkSmoother: Sendable {
    /// Speeds in widths of the face a second. The values were found on a webcam clip (docs/decisions/0008).
    package struct Settings: Sendable {
        package var position = OneEuroFilter.Settings(
            minimumCutoff: 2.9, speedCoefficient: 95, maximumCutoff: 7.9)
        package var scaleAndRoll = OneEuroFilter.Settings(
            minimumCutoff: 2.6, speedCoefficient: 95, maximumCutoff: 7.9)
        package var expression = OneEuroFilter.Settings(
            minimumCutoff: 2.5, speedCoefficient: 6, maximumCutoff: 10)

        package init() {}
    }

    /// In hertz: two or three frames decide how fast the head is.
    private static let velocityCutoff: Float = 3.8

    /// In widths of the face a second: a change of speed by this from one frame to the next is rather a jump.
    private static let jumpSpeed: Float = 3

    private let settings: Settings
    private let mean: MeanFace
    private var motion: FaceMotion?
    private var velocity = Point.zero
    private var lastCenter = Point.zero

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
                lastCenter = new.center
            }
            return motion?.landmarks ?? landmarks
        }
        let width = max(new.width, 1e-3)
        let acceleration = (new.center - lastCenter) / (width * seconds) - velocity
        velocity += OneEuroFilter.share(cutoff: Self.velocityCutoff, seconds: seconds) * acceleration
        lastCenter = new.center
        let speed = velocity.length
        // A camera that drops a frame makes the face jump; spread over two frames that is not seen.
        let jump = acceleration.length / Self.jumpSpeed
        smoothed.center +=
            settings.position.share(speed: speed, seconds: seconds) / (1 + jump * jump)
            * (new.center - smoothed.center)
        smoothed.linear +=
            settings.scaleAndRoll.share(speed: speed, seconds: seconds) * (new.linear - smoothed.linear)
        for index in smoothed.expression.indices {
            let offset = new.expression[index] - smoothed.expression[index]
            let speed = offset.length / (mean.width * seconds)
            smoothed.expression[index] += settings.expression.share(speed: speed, seconds: seconds) * offset
        }
        motion = smoothed
        return smoothed.landmarks ?? landmarks
    }
}
