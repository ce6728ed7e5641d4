import Glibc

/// A square in a picture that may be rotated, in pixels.
package struct OrientedBox: Equatable, Sendable {
    package var center: Point
    package var side: Float
    /// Radians, positive clockwise in the picture.
    package var roll: Float

    package init(center: Point, side: Float, roll: Float) {
        self.center = center
        self.side = side
        self.roll = roll
    }

    package init(_ box: FaceBox) {
        self.init(center: box.center, side: (box.width + box.height) / 2, roll: 0)
    }

    package var across: Point { side * Point(cos(roll), sin(roll)) }
    package var down: Point { side * Point(-sin(roll), cos(roll)) }
    /// The corner that is at the top left before the rotation.
    package var origin: Point { center - (across + down) / 2 }

    package func scaled(by factor: Float) -> OrientedBox {
        OrientedBox(center: center, side: side * factor, roll: roll)
    }

    /// Shifted along its own axes, by fractions of its side.
    package func shifted(by shares: Point) -> OrientedBox {
        OrientedBox(center: center + shares.x * across + shares.y * down, side: side, roll: roll)
    }

    /// The box that dlib's detector would report for these landmarks if the head were upright; the landmark model was
    /// trained with such boxes. Measured: the side is the larger extent of the landmarks divided by 0.92, the centre a
    /// tenth of the side higher.
    ///
    /// A tilt up to `uprightRoll` gives an upright box, because the model was trained with upright boxes around slightly
    /// tilted heads; only the excess rotates the box.
    /// - Parameter uprightRoll: in radians; 0 for models that know upright heads only.
    package init(around landmarks: Landmarks, uprightRoll: Float = OrientedBox.uprightRoll) {
        let eyes =
            landmarks.center(of: Landmarks.topology.leftEye.outline)
            - landmarks.center(of: Landmarks.topology.rightEye.outline)
        let roll = Self.roll(tilt: atan2(eyes.y, eyes.x), uprightRoll: uprightRoll)
        let (c, s) = (cos(roll), sin(roll))
        var low = Point(repeating: .infinity)
        var high = Point(repeating: -.infinity)
        for index in 0..<Landmarks.count {
            let p = landmarks[index]
            let upright = Point(c * p.x + s * p.y, -s * p.x + c * p.y)
            low = pointwiseMin(low, upright)
            high = pointwiseMax(high, upright)
        }
        let side = max(high.x - low.x, high.y - low.y) / 0.92
        let center = (low + high) / 2 - Point(0, 0.10 * side)
        self.init(center: Point(c * center.x - s * center.y, s * center.x + c * center.y), side: side, roll: roll)
    }

    /// By how much the box of a tilted head is rotated, in radians.
    /// - Parameters:
    ///   - tilt: of the line through the eyes, in radians, −π…π.
    ///   - uprightRoll: see `init(around:uprightRoll:)`.
    package static func roll(tilt: Float, uprightRoll: Float = OrientedBox.uprightRoll) -> Float {
        tilt > uprightRoll ? tilt - uprightRoll : min(tilt + uprightRoll, 0)
    }

    /// The tilt of a head above which its box is rotated: 15°, in radians.
    package static let uprightRoll: Float = 15 * .pi / 180

    /// Whether this box and another one are around the same face. In doubt they are not: a face that is covered twice does no
    /// harm, and two people may be cheek to cheek.
    package func isAroundSameFace(as other: OrientedBox) -> Bool {
        let (smaller, larger) = (min(side, other.side), max(side, other.side))
        return (other.center - center).length < 0.35 * larger && larger < 1.6 * smaller
    }

    /// Which of some boxes is around the same face as this one; of several, the one whose centre is nearest.
    /// - Parameters:
    ///   - boxes: nil: one that does not count.
    ///   - taken: the indices of those that belong to other faces.
    package func nearest(of boxes: [OrientedBox?], without taken: Set<Int> = []) -> Int? {
        let near = boxes.indices.compactMap { index -> (index: Int, distance: Float)? in
            guard !taken.contains(index), let box = boxes[index], isAroundSameFace(as: box) else { return nil }
            return (index, (box.center - center).length)
        }
        return near.min { $0.distance < $1.distance }?.index
    }
}
