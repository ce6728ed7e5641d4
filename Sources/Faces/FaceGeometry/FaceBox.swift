/// An upright box in a picture, in pixels.
package struct FaceBox: Equatable, Sendable {
    package var x: Float
    package var y: Float
    package var width: Float
    package var height: Float

    package init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The smallest box around some points; empty and at the origin when there are none.
    package init(around points: [Point]) { self.init(around: points[...]) }

    /// Likewise.
    package init(around points: ArraySlice<Point>) {
        guard var low = points.first else {
            self.init(x: 0, y: 0, width: 0, height: 0)
            return
        }
        var high = low
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The upright square with the centre and the side of an oriented one.
    package init(_ box: OrientedBox) {
        self.init(
            x: box.center.x - box.side / 2, y: box.center.y - box.side / 2, width: box.side, height: box.side)
    }

    package var area: Float { width * height }
    package var center: Point { Point(x + width / 2, y + height / 2) }

    /// The box in a picture that is so much larger.
    package func scaled(by factor: Float) -> FaceBox {
        FaceBox(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }

    /// Whether a point is in the box: its left and upper edges belong to it, the others do not.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
    }
}
