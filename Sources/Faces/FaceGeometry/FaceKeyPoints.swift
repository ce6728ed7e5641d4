/// The five points of a face that detectors report, in pixels. Right and left are the subject's.
package struct FaceKeyPoints: Equatable, Sendable {
    /// The centres of the eyes.
    package var rightEye: Point
    package var leftEye: Point
    /// The tip of the nose.
    package var nose: Point
    /// The corners of the mouth.
    package var rightMouthCorner: Point
    package var leftMouthCorner: Point

    package init(rightEye: Point, leftEye: Point, nose: Point, rightMouthCorner: Point, leftMouthCorner: Point) {
        (self.rightEye, self.leftEye, self.nose) = (rightEye, leftEye, nose)
        (self.rightMouthCorner, self.leftMouthCorner) = (rightMouthCorner, leftMouthCorner)
    }

    package init(_ landmarks: Landmarks) {
        let topology = Landmarks.topology
        self.init(
            rightEye: landmarks.center(of: topology.rightEye.outline),
            leftEye: landmarks.center(of: topology.leftEye.outline), nose: landmarks[topology.noseTip],
            rightMouthCorner: landmarks[topology.outerLips.right], leftMouthCorner: landmarks[topology.outerLips.left])
    }

    package var points: [Point] { [rightEye, leftEye, nose, rightMouthCorner, leftMouthCorner] }

    package func mapped(_ transform: (Point) -> Point) -> FaceKeyPoints {
        FaceKeyPoints(
            rightEye: transform(rightEye), leftEye: transform(leftEye), nose: transform(nose),
            rightMouthCorner: transform(rightMouthCorner), leftMouthCorner: transform(leftMouthCorner))
    }

    /// The mean distance to the points of another face, in pixels.
    package func distance(to other: FaceKeyPoints) -> Float {
        let distances = zip(points, other.points).map { ($0 - $1).length }
        return distances.reduce(0, +) / Float(distances.count)
    }

    /// Whether landmarks that a model has found are those of the face with these points: then both see the same face, the
    /// way it is turned.
    package func agree(with landmarks: Landmarks) -> Bool {
        distance(to: FaceKeyPoints(landmarks)) < Self.agreement * OrientedBox(around: landmarks).side
    }

    /// In sides of the face's box.
    private static let agreement: Float = 0.13
}
