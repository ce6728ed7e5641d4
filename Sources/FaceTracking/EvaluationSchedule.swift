import FaceGeometry

/// Decides in which frames one of the faces that are followed has its turn: then its landmark model is evaluated as a
/// whole, and whether it is a face is judged. In between, a model may leave out parts of itself, unless the head turns
/// (docs/decisions/0019).
struct EvaluationSchedule {
    /// A face has its turn in every Nth frame, or a little later where several faces wait for theirs.
    static let interval = 3
    /// A head that turns or nods faster needs the whole model in every frame, in radians per second.
    private static let turning: Float = 0.5

    /// Since the last turn. A new face has its first turn as soon as it is followed.
    private var frames = interval - 1
    private var lastPose: Pose?
    private var speed: Float = 0

    /// How many of the faces may have their turn in the same frame: turns are spread over the frames, so that no frame
    /// takes much longer than others.
    static func turns(amongFaces count: Int) -> Int { (count + interval - 1) / interval }

    /// Takes the next frame.
    /// - Parameter turns: how many faces may still have their turn in it.
    /// - Returns: whether this face has it.
    mutating func next(turns: inout Int) -> Bool {
        frames += 1
        guard frames >= Self.interval, turns > 0 else { return false }
        turns -= 1
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
