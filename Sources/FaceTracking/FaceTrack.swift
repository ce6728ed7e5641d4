import FaceGeometry
import Pixels

/// The track of one face: follows it, and judges whether it is still a face. Different tracks may be followed on
/// different threads at the same time: what they share, landmark model and mesh, does not change.
final class FaceTrack {
    private(set) var follower: FaceFollower
    private(set) var confidence = TrackConfidence()
    /// What the person looks like.
    private(set) var descriptor: FaceDescriptor
    /// What the face looked like when it was last certain to be one: turned as it was then.
    private(set) var lastDescriptor: FaceDescriptor
    private var evaluation = EvaluationSchedule()
    /// Whether the face has its turn in this frame (`EvaluationSchedule`).
    private(set) var hasTurn = false
    private var isAmongMany = false
    /// Why the face could not be followed into the last frame.
    private(set) var failure: VisionError?

    init(_ follower: FaceFollower) {
        self.follower = follower
        descriptor = follower.descriptor
        lastDescriptor = descriptor
    }

    /// Follows from now on what a detector has found where this face is lost.
    func restart(with follower: FaceFollower) {
        self.follower = follower
        confidence = TrackConfidence()
        evaluation = EvaluationSchedule()
    }

    /// Takes the next frame.
    func takeTurn(_ turns: inout EvaluationSchedule.Turns) {
        hasTurn = evaluation.next(&turns)
        isAmongMany = turns.isAmongMany
    }

    /// Follows the face into the frame for which `takeTurn` was called. Sets `failure`.
    /// - Parameter seconds: since the frame before.
    func follow(_ frame: borrowing PixelBuffer, seconds: Float) {
        failure = nil
        do throws(VisionError) {
            try follow(into: frame, seconds: seconds)
        } catch {
            failure = error
        }
    }

    private func follow(into frame: borrowing PixelBuffer, seconds: Float) throws(VisionError) {
        try follower.follow(
            frame, seconds: seconds, trustsModel: !confidence.reliesOnFlow,
            mayRest: !hasTurn && !confidence.needsProbe && evaluation.mayRest, isAmongMany: isAmongMany)
        confidence.follow(isFlowGood: follower.isFlowGood, seconds: seconds)
        if confidence.needsProbe || follower.hasJumped || hasTurn { try probe(frame) }
    }

    /// Takes the head's pose in the frame.
    func note(_ pose: Pose, seconds: Float) { evaluation.note(pose, seconds: seconds) }

    private func probe(_ frame: borrowing PixelBuffer) throws(VisionError) {
        try follower.probe(frame)
        let (uncertainty, seen) = (follower.uncertainty, follower.descriptor)
        let hasFailed =
            follower.hasJumped || uncertainty > TrackConfidence.failingUncertainty
            || (uncertainty > TrackConfidence.suspiciousUncertainty
                && descriptor.similarity(to: seen) < TrackConfidence.dissimilar)
        confidence.probe(hasFailed: hasFailed, uncertainty: uncertainty)
        let isAlike = lastDescriptor.similarity(to: seen) >= TrackConfidence.dissimilar
        if hasFailed, follower.modelReportsUncertainty || !isAlike { confidence.distrustFlow() }
        if uncertainty < FaceTracker.startingUncertainty {
            descriptor.learn(seen, weight: 0.03)
            lastDescriptor = seen
        }
    }
}
