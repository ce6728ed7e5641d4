import Glibc

/// A square that may be turned, in a picture, in pixels.
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
    /// The corner that is the upper left one before turning.
    package var origin: Point { center - (across + down) / 2 }

    package func scaled(by factor: Float) -> OrientedBox {
        OrientedBox(center: center, side: side * factor, roll: roll)
    }

    /// Shifted by shares of its side, along its own axes.
    package func shifted(by shares: Point) -> OrientedBox {
        OrientedBox(center: center + shares.x * across + shares.y * down, side: side, roll: roll)
    }

    /// Where dlib's detector would draw its box around landmarks, were the head upright: the model was trained with
    /// such boxes. Measured: the side is the larger extent of the landmarks by 0.92, the centre a tenth of it higher.
    ///
    /// Heads that tilt a little are left as they are. The detector draws upright boxes around those too, so the model
    /// knows them; only what exceeds `uprightRoll` is turned back.
    package init(around landmarks: Landmarks) {
        let eyes =
            landmarks.center(of: Landmarks.topology.leftEye.outline)
            - landmarks.center(of: Landmarks.topology.rightEye.outline)
        let tilt = atan2(eyes.y, eyes.x)
        let roll = tilt > Self.uprightRoll ? tilt - Self.uprightRoll : min(tilt + Self.uprightRoll, 0)
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

    /// A head may tilt this far before its box is turned: 15°.
    package static let uprightRoll: Float = 15 * .pi / 180
}
