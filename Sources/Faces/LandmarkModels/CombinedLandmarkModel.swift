import FaceGeometry
import Pixels
import Vision

/// The face mesh together with the landmark cascade, for moving pictures: where both agree, the mean of their landmarks,
/// which trembles less than either; where they do not, as on faces that are turned far, the mesh alone
/// (docs/decisions/0019). The mesh decides whether there is a face. It costs several times as much as the cascade, so
/// while both agree it is left out of most frames.
package final class CombinedLandmarkModel: LandmarkModel {
    private let mesh: any LandmarkModel
    private let cascade: any LandmarkModel

    /// The mean distance between the landmarks of both models but the jaw line, in sides of the box, up to which they
    /// agree, and from which on they do not. On faces that look ahead it is 0.008 to 0.02; where the cascade is wrong, it
    /// is above 0.1.
    private static let agreement: Float = 0.02
    private static let disagreement: Float = 0.04
    /// The mesh is not left out where they differ by more than this, nor where the cascade, corrected as the mesh did in
    /// earlier frames, is farther than `surprise` from what flow predicts, nor above this uncertainty.
    private static let closeAgreement: Float = 0.025
    private static let surprise: Float = 0.03
    private static let certain: Float = 0.02

    package init(mesh: any LandmarkModel, cascade: any LandmarkModel) {
        self.mesh = mesh
        self.cascade = cascade
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> LandmarkEstimate {
        var memory = LandmarkMemory()
        return try estimate(in: picture, box: box, expected: nil, memory: &memory)
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        let other = try part(in: picture, box: box)
        if let expected, memory.isSure {
            var estimate = LandmarkEstimate(landmarks: memory.corrected(other, box: box))
            estimate.part = other
            if Self.distance(between: estimate.landmarks, and: expected) < Self.surprise * box.side { return estimate }
        }
        return Self.combined(try mesh.estimate(in: picture, box: box), with: other, box: box, memory: &memory)
    }

    package func prepare(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> PreparedEvaluation? {
        if let prepared = try mesh.prepare(in: picture, box: box) { return prepared }
        return PreparedEvaluation(input: KnownEstimate(try mesh.estimate(in: picture, box: box)), box: box)
    }

    /// Of a mesh that cannot be prepared.
    private final class KnownEstimate: PreparedInput {
        private let known: LandmarkEstimate

        init(_ known: LandmarkEstimate) { self.known = known }

        func evaluate() {}

        func estimate() -> LandmarkEstimate { known }
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, with prepared: PreparedEvaluation,
        memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        let other = try part(in: picture, box: box)
        return Self.combined(try result(of: prepared), with: other, box: box, memory: &memory)
    }

    package func complete(
        _ prepared: PreparedEvaluation, with part: Landmarks, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        Self.combined(try result(of: prepared), with: part, box: prepared.box, memory: &memory)
    }

    package func recycle(_ prepared: PreparedEvaluation) { mesh.recycle(prepared) }

    /// The result of the cascade.
    private func part(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> Landmarks {
        try cascade.estimate(in: picture, box: box.turnedForCascade).landmarks
    }

    /// - Parameters:
    ///   - estimate: of the mesh.
    ///   - other: of the cascade, in the same box.
    private static func combined(
        _ estimate: LandmarkEstimate, with other: Landmarks, box: OrientedBox, memory: inout LandmarkMemory
    ) -> LandmarkEstimate {
        var estimate = estimate
        let seen = estimate.landmarks
        let distance = distance(between: seen, and: other) / box.side
        let share = share(ofDistance: distance)
        estimate.landmarks = seen.mappedWithIndex { index, point in
            // The cascade leaves lids open that are closed.
            estimate.hasExactLids && Landmarks.topology.isOnEye(index) ? point : point + share * (other[index] - point)
        }
        if distance < closeAgreement, estimate.uncertainty ?? 0 < certain {
            memory.learn(estimate.landmarks, from: other, box: box)
        } else {
            memory.forget()
        }
        return estimate
    }

    package func box(around landmarks: Landmarks) -> OrientedBox { mesh.box(around: landmarks) }

    private static func distance(between one: Landmarks, and other: Landmarks) -> Float {
        let points = Landmarks.topology.inner
        var sum: Float = 0
        for index in points { sum += (one[index] - other[index]).length }
        return sum / Float(points.count)
    }

    /// The weight of the cascade's landmarks: up to a half.
    private static func share(ofDistance distance: Float) -> Float {
        let doubt = (distance - agreement) / (disagreement - agreement)
        return 0.5 * (1 - min(1, max(0, doubt)))
    }
}

extension OrientedBox {
    /// The same place as a box for the cascade, which knows heads that are tilted a little in upright boxes.
    fileprivate var turnedForCascade: OrientedBox {
        let limit = OrientedBox.uprightRoll
        var result = self
        result.roll = roll > limit ? roll - limit : min(roll + limit, 0)
        return result
    }
}
