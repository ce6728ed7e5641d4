/// A rectangle of whole pixels: columns `x ..< x + width`, rows `y ..< y + height`.
package struct PixelRectangle: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The part that both have; empty when they do not meet.
    package func intersection(_ other: PixelRectangle) -> PixelRectangle {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    /// Rectangles of at most `side` × `side` pixels that together cover this one without overlap, row by row.
    package func tiles(side: Int) -> [PixelRectangle] {
        stride(from: y, to: y + height, by: side).flatMap { top in
            stride(from: x, to: x + width, by: side).map { left in
                PixelRectangle(
                    x: left, y: top, width: min(side, x + width - left), height: min(side, y + height - top))
            }
        }
    }
}
