import FaceGeometry

/// Decides in which frames one of the faces that are followed has its turn: then its landmark model is evaluated as a
/// whole, and whether it is a face is judged. In between, a model may leave out parts of itself, unless the head turns
/// (docs/decisions/0019).
struct EvaluationSchedule {
    /// A face has its turn in every Nth frame, or a little later where several faces wait for theirs.
    private static let usualInterval = 3
    /// The same among many faces, which together take most of a frame's time.
    private static let longInterval = 6
    /// More faces than these are many.
    private static let mostFew = 4
    /// A head that turns or nods faster needs the whole model in every frame, in radians per second.
    private static let turning: Float = 0.5

    /// Since the last turn. A new face has its first turn as soon as it is followed.
    private var frames = longInterval - 1
    private var lastPose: Pose?
    private var speed: Float = 0

    /// The turns of one frame.
    struct Turns {
        /// Whether there are so many faces that less is measured of each of them in a frame.
        let isAmongMany: Bool
        /// Whether there are frames without any turns.
        let leaveFramesFree: Bool
        fileprivate let interval: Int
        /// How many faces may still have their turn: they are spread over the frames, so that no frame takes much longer
        /// than others.
        fileprivate var left: Int

        init(amongFaces count: Int) {
            isAmongMany = count > mostFew
            interval = isAmongMany ? longInterval : usualInterval
            left = (count + interval - 1) / interval
            leaveFramesFree = count < interval
        }
    }

    /// Takes the next frame.
    /// - Returns: whether this face has its turn in it.
    mutating func next(_ turns: inout Turns) -> Bool {
        frames += 1
        guard frames >= turns.interval, turns.left > 0 else { return false }
        turns.left -= 1
        frames = 0
        return true
    }

    /// Whether a frame without a turn may do with parts of the model.
    var mayRest: Bool { speed < Self.turning }

    /// - Parameter seconds: since the frame before.
    mutating func note(_ pose: Pose, seconds: Float) {
        let last = lastPose ?? pose
        speed = Point(pose.yaw - last.yaw, pose.pitch - last.pitch).length / max(seconds, 1e-3)
        lastPose = pose
    }
}
