import FaceGeometry
import Pixels
import Vision

/// The track of one face: follows it, and judges whether it is still a face. Different tracks may be followed on
/// different threads at the same time: what they share, landmark model and mesh, does not change.
final class FaceTrack {
    private(set) var follower: FaceFollower
    private(set) var confidence = TrackConfidence()
    /// The look of the person.
    private(set) var descriptor: FaceDescriptor
    /// The look of the face when the model or a detector was last certain that it is one: turned as it was then.
    private(set) var lastDescriptor: FaceDescriptor
    private var evaluation = EvaluationSchedule()
    /// Whether the face has its turn in this frame (`EvaluationSchedule`).
    private(set) var hasTurn = false
    private var isAmongMany = false
    /// The face in the last frame, its measurement and its expression.
    private(set) var face: Face
    private(set) var measurement: LandmarkMeasurement
    private(set) var expression: Expression
    private var headPoints: HeadPointOffsets?
    private let reference: ReferenceFace
    private let mean: MeanFace
    /// Why the face could not be followed into the last frame.
    private(set) var failure: VisionError?

    init(_ follower: FaceFollower, reference: ReferenceFace, mean: MeanFace) {
        self.follower = follower
        self.reference = reference
        self.mean = mean
        descriptor = follower.descriptor
        lastDescriptor = descriptor
        measurement = follower.measurement
        expression = follower.expression
        face = Self.derivedFace(follower, reference)
        expression.shape = face.shape
        takeHeadPoints(seconds: 0)
    }

    private static func derivedFace(_ follower: FaceFollower, _ reference: ReferenceFace) -> Face {
        Face(
            landmarks: follower.landmarks, reference: reference, box: FaceBox(follower.box),
            uncertainty: follower.uncertainty)
    }

    /// Learns where this person's head points are, and moves those of the face there.
    private func takeHeadPoints(seconds: Float) {
        guard let measured = follower.measuredHeadPoints else { return headPoints = nil }
        if headPoints == nil {
            headPoints = HeadPointOffsets(measured, on: face, mean: mean)
        } else {
            headPoints?.learn(measured, on: face, mean: mean, seconds: seconds)
        }
        measurement.headPoints = headPoints
        face.take(headPoints, mean: mean)
    }

    /// Follows from now on what a detector has found where this face is lost.
    func restart(with follower: FaceFollower) {
        self.follower = follower
        measurement = follower.measurement
        face = Self.derivedFace(follower, reference)
        expression.shape = face.shape
        headPoints = nil
        takeHeadPoints(seconds: 0)
        confidence = TrackConfidence()
        evaluation = EvaluationSchedule()
    }

    /// Takes the points of a face that a detector has found at this one's place in the last frame.
    /// - Returns: whether it vouches for the face: not if flow broke, or it has changed its look, since it may be another one.
    @discardableResult func vouch(_ keyPoints: FaceKeyPoints?) -> Bool {
        guard let keyPoints, keyPoints.agree(with: follower.landmarks), !confidence.isBroken, looksLike(follower) else {
            return false
        }
        confidence.vouch()
        descriptor.learn(follower.descriptor, weight: 0.03)
        lastDescriptor = follower.descriptor
        return true
    }

    /// Whether a face looks like this one.
    func looksLike(_ other: FaceFollower) -> Bool {
        descriptor.similarity(to: other.descriptor) >= TrackConfidence.dissimilar
    }

    /// Decides whether this track may evaluate the landmark model in the next frame.
    func scheduleEvaluation(_ turns: inout EvaluationSchedule.Turns) {
        hasTurn = evaluation.next(&turns)
        isAmongMany = turns.isAmongMany
    }

    /// Follows the face into the frame for which `scheduleEvaluation` was called. Sets `failure`.
    /// - Parameters:
    ///   - seconds: since the frame before.
    ///   - helper: another thread for what is difficult; nil: none.
    func follow(_ frame: borrowing PixelBuffer, seconds: Float, helper: EvaluationThread?) {
        failure = nil
        do throws(VisionError) {
            try follow(into: frame, seconds: seconds, helper: helper)
        } catch {
            failure = error
        }
    }

    private func follow(
        into frame: borrowing PixelBuffer, seconds: Float, helper: EvaluationThread?
    ) throws(VisionError) {
        try follower.follow(
            frame, seconds: seconds, trustsModel: !confidence.reliesOnFlow,
            mayRest: !confidence.needsProbe && evaluation.mayRest, hasTurn: hasTurn, helper: helper,
            isAmongMany: isAmongMany)
        confidence.follow(isFlowGood: follower.isFlowGood, seconds: seconds)
        // A turn is judged when the whole model has been evaluated.
        let isJudged = follower.hasCompleted || hasTurn && follower.awaitedEvaluation == nil
        if confidence.needsProbe || follower.hasJumped || isJudged { try probe(frame) }
        measurement = follower.measurement
        expression = follower.expression
        face = Self.derivedFace(follower, reference)
        expression.shape = face.shape
        takeHeadPoints(seconds: seconds)
    }

    /// Takes the head's pose in the frame.
    func note(_ pose: Pose, seconds: Float) { evaluation.note(pose, seconds: seconds) }

    private func probe(_ frame: borrowing PixelBuffer) throws(VisionError) {
        try follower.probe(frame)
        let (uncertainty, seen) = (follower.uncertainty, follower.descriptor)
        let isLikeItself = looksLike(follower)
        let isDoubtful =
            uncertainty > TrackConfidence.failingUncertainty
            || (uncertainty > TrackConfidence.suspiciousUncertainty && !isLikeItself)
        let hasFailed = follower.hasJumped || isDoubtful && !(confidence.isVouchedFor && isLikeItself)
        confidence.probe(hasFailed: hasFailed, uncertainty: uncertainty)
        let isAlike = lastDescriptor.similarity(to: seen) >= TrackConfidence.dissimilar
        // A hand in front of a face is no face, and looks unlike it.
        if hasFailed, !follower.isDisturbed, follower.modelReportsUncertainty || !isAlike { confidence.distrustFlow() }
        if uncertainty < FaceTracker.startingUncertainty {
            descriptor.learn(seen, weight: 0.03)
            lastDescriptor = seen
        }
    }
}
