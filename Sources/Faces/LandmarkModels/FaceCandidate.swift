import FaceGeometry
import Glibc

/// A place in a picture that the detector network takes for a face.
package struct FaceCandidate: Equatable, Sendable {
    /// From the forehead to the chin, in pixels; upright relative to the square that was searched.
    package var box: OrientedBox
    /// The centres of the subject's right and left eye, in pixels.
    package var rightEye: Point
    package var leftEye: Point
    /// 0…1.
    package var score: Float

    package init(box: OrientedBox, rightEye: Point, leftEye: Point, score: Float) {
        self.box = box
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.score = score
    }

    /// The region for the mesh network, as MediaPipe makes it: 1.5 times the box, turned with the eyes.
    package var region: OrientedBox {
        let eyes = leftEye - rightEye
        return OrientedBox(
            center: box.center, side: box.side * FaceMeshEstimate.regionScale, roll: atan2(eyes.y, eyes.x))
    }

    /// The same place, seen at another rotation.
    /// - Parameter roll: in radians.
    package func turned(to roll: Float) -> FaceCandidate {
        let turn = roll - box.roll
        let rotation = SimilarityTransform(linear: Point(cos(turn), sin(turn)), translation: .zero)
        func turned(_ point: Point) -> Point { box.center + rotation(point - box.center) }
        return FaceCandidate(
            box: OrientedBox(center: box.center, side: box.side, roll: roll), rightEye: turned(rightEye),
            leftEye: turned(leftEye), score: score)
    }

    /// Joins candidates of the same face, found at the same rotation: of those that overlap the best one by enough, the
    /// mean weighted by score (Bazarevsky et al., "BlazeFace", 2019). A candidate that lies inside another one is the same
    /// face, too: tiles cut faces off.
    package static func merged(_ candidates: [FaceCandidate]) -> [FaceCandidate] {
        var rest = candidates.sorted { $0.score > $1.score }
        var result: [FaceCandidate] = []
        while let first = rest.first {
            let best = rest.first { $0.shows(partOf: first) && $0.score > largerFace * first.score } ?? first
            let same = rest.filter { $0.isSameFace(as: best) }
            rest.removeAll { $0.isSameFace(as: best) || $0 == first }
            result.append(mean(same.filter { $0.overlap(with: best).union > similarity }, of: best))
        }
        return result
    }

    private static func mean(_ candidates: [FaceCandidate], of best: FaceCandidate) -> FaceCandidate {
        let total = candidates.reduce(Float(0)) { $0 + $1.score }
        func mean(_ value: (FaceCandidate) -> Point) -> Point {
            candidates.reduce(Point.zero) { $0 + $1.score / total * value($1) }
        }
        let side = candidates.reduce(Float(0)) { $0 + $1.score / total * $1.box.side }
        return FaceCandidate(
            box: OrientedBox(center: mean(\.box.center), side: side, roll: best.box.roll), rightEye: mean(\.rightEye),
            leftEye: mean(\.leftEye), score: best.score)
    }

    private func isSameFace(as other: FaceCandidate) -> Bool {
        let (union, smaller) = overlap(with: other)
        return self == other || union > Self.overlap || smaller > Self.containment
    }

    /// Whether the other candidate is a part of this one, taken for a whole face.
    private func shows(partOf other: FaceCandidate) -> Bool {
        box.side > 1.3 * other.box.side && overlap(with: other).smaller > Self.containment
    }

    /// The common area as a fraction of that of both boxes together, and of that of the smaller one. The boxes are compared
    /// as if they were upright.
    private func overlap(with other: FaceCandidate) -> (union: Float, smaller: Float) {
        let distance = box.center - other.box.center
        let reach = (box.side + other.box.side) / 2
        let shorter = min(box.side, other.box.side)
        let across = max(0, min(reach - abs(distance.x), shorter))
        let down = max(0, min(reach - abs(distance.y), shorter))
        let common = across * down
        let (area, otherArea) = (box.side * box.side, other.box.side * other.box.side)
        return (common / (area + otherArea - common), common / min(area, otherArea))
    }

    /// Above this intersection over union, two candidates are one face.
    private static let overlap: Float = 0.3
    /// Or above this intersection over the smaller area.
    private static let containment: Float = 0.6
    /// Above this intersection over union, two candidates have similar boxes.
    private static let similarity: Float = 0.5
    /// A larger candidate wins over a part of it from this multiple of its score on.
    private static let largerFace: Float = 0.6
}
