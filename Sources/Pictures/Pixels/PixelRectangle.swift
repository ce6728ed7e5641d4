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

    /// The common part; empty if none exists.
    package func intersection(_ other: PixelRectangle) -> PixelRectangle {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    /// The smallest one that contains both.
    package func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// Splits the rectangle into tiles of at most `side` × `side` pixels, row by row.
    package func tiles(side: Int) -> [PixelRectangle] {
        stride(from: y, to: y + height, by: side).flatMap { top in
            stride(from: x, to: x + width, by: side).map { left in
                PixelRectangle(
                    x: left, y: top, width: min(side, x + width - left), height: min(side, y + height - top))
            }
        }
    }
}
