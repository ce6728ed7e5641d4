import FaceGeometry
import Pixels

/// The face mesh together with the landmark cascade, for moving pictures: where both agree, the mean of their landmarks,
/// which trembles less than either; where they do not, as on faces that are turned far, the mesh alone
/// (docs/decisions/0019). The mesh decides whether there is a face.
package final class CombinedLandmarkModel: LandmarkModel {
    private let mesh: MeshLandmarkModel
    private let cascade: LandmarkCascade

    /// The mean distance between the landmarks of both models but the jaw line, in sides of the box, up to which they
    /// agree, and from which on they do not. On faces that look ahead it is 0.008 to 0.02; where the cascade is wrong, it
    /// is above 0.1.
    private static let agreement: Float = 0.02
    private static let disagreement: Float = 0.04

    package init(mesh: MeshLandmarkModel, cascade: LandmarkCascade) {
        self.mesh = mesh
        self.cascade = cascade
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> LandmarkEstimate {
        var estimate = try mesh.estimate(in: picture, box: box)
        let seen = estimate.landmarks
        let other = try cascade.landmarks(in: picture, box: box.turnedForCascade)
        let share = Self.share(ofDistance: Self.distance(between: seen, and: other) / box.side)
        estimate.landmarks = seen.mappedWithIndex { index, point in point + share * (other[index] - point) }
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
