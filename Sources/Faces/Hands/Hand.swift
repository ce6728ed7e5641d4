import FaceGeometry
import Glibc

/// A hand in a picture: the 21 landmarks of Zhang et al., "MediaPipe Hands: On-device Real-time Hand Tracking"
/// (arXiv:2006.10214).
package struct Hand: Sendable {
    package static let pointCount = 21

    /// In pixels: the wrist, then thumb, index, middle, ring and little finger, each from its base to its tip.
    package var points: [Point]
    /// The length of the palm from the wrist to the base of the middle finger, as if it faced the camera, in pixels.
    package var size: Float
    /// How sure the network is that there is a hand, 0…1.
    package var presence: Float
    /// - Parameters:
    ///   - points: `pointCount` of them.
    ///   - depths: of the points, in pixels.
    package init(points: [Point], depths: [Float], presence: Float) {
        precondition(points.count == Self.pointCount && depths.count == Self.pointCount)
        func distance(_ a: Int, _ b: Int) -> Float {
            let (across, deep) = ((points[a] - points[b]).length, depths[a] - depths[b])
            return (across * across + deep * deep).squareRoot()
        }
        self.points = points
        self.presence = presence
        size = max(
            distance(Self.wrist, Self.middleBase), Self.lengthOfWidth * distance(Self.indexBase, Self.littleBase))
    }

    static let wrist = 0
    static let (indexBase, middleBase, ringBase, littleBase) = (5, 9, 13, 17)
    /// A palm's length by the distance between the bases of index and little finger.
    private static let lengthOfWidth: Float = 1.3

    package var wrist: Point { points[Self.wrist] }

    package mutating func move(by shift: Point) { for index in points.indices { points[index] += shift } }

    // MARK: The outline

    /// Half of the width of fingers, of the thumb, and of what goes around the palm's points, in palm lengths.
    private static let (finger, thumb, rim): (Float, Float, Float) = (0.08, 0.09, 0.17)
    /// How far a finger goes on past its last landmark, in lengths of its last bone.
    private static let past: Float = 0.2
    private static let palm = [0, 1, 2, 5, 9, 13, 17]

    /// The palm without its rim.
    package var palm: ConvexOutline { ConvexOutline(around: Self.palm.map { points[$0] }) }

    /// Calls `body` with the middle of each finger's bones and of the palm's rim, and with half of their width, in pixels.
    package func forEachBone(_ body: (Segment, Float) -> Void) {
        func bone(_ from: Int, _ to: Int, _ radius: Float) {
            body(Segment(from: points[from], to: points[to]), radius * size)
        }
        /// The last bone of a finger, whose landmark lies a little before its end.
        func tip(_ end: Int, _ radius: Float) {
            let past = points[end] + Self.past * (points[end] - points[end - 1])
            body(Segment(from: points[end - 1], to: past), radius * size)
        }
        for joint in 1..<3 { bone(joint, joint + 1, Self.thumb) }
        tip(4, Self.thumb)
        for base in [Self.indexBase, Self.middleBase, Self.ringBase, Self.littleBase] {
            for joint in base..<base + 2 { bone(joint, joint + 1, Self.finger) }
            tip(base + 3, Self.finger)
        }
        for index in Self.palm.indices {
            bone(Self.palm[index], Self.palm[index + 1 == Self.palm.count ? 0 : index + 1], Self.rim)
        }
    }

    /// Whether a place of the picture, in pixels, lies in the hand.
    package func contains(_ place: Point) -> Bool {
        if palm.distance(of: place) < 0 { return true }
        var isInside = false
        forEachBone { bone, radius in if bone.distance(of: place) < radius { isInside = true } }
        return isInside
    }

    // MARK: The region for the network

    /// The points that the region is laid around: all but the ends of fingers.
    private static let regionPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

    /// The square that the network of landmarks looks at in the next picture, turned so that the fingers point up, with the
    /// factors of MediaPipe's graph.
    package var region: OrientedBox {
        let bases = ((points[Self.indexBase] + points[Self.ringBase]) / 2 + points[Self.middleBase]) / 2
        let roll = Self.roll(of: bases - wrist)
        let unit = OrientedBox(center: .zero, side: 1, roll: roll)
        let (across, down) = (unit.across, unit.down)
        let upright = Self.regionPoints.map { Point((points[$0] * across).sum(), (points[$0] * down).sum()) }
        let box = FaceBox(around: upright)
        let center = box.center.x * across + box.center.y * down
        return OrientedBox(center: center, side: max(box.width, box.height), roll: roll)
            .shifted(by: Point(0, -0.1)).scaled(by: 2)
    }

    /// By how much a hand is turned whose fingers point into this direction, in radians; 0: upwards.
    static func roll(of direction: Point) -> Float { .pi / 2 - atan2(-direction.y, direction.x) }
}
