import FaceGeometry
import Pixels

/// The triangles of a draw call. The arrays hold one element per vertex.
package struct LayerGeometry: Sendable {
    package var triangles: [Triangle]
    /// In the picture, pixels.
    package var positions: [Point]
    /// On the colour source, 0…1.
    package var textureCoordinates: [Point]
    /// Canonical UV: the place on the reference face, 0…1.
    package var canonicalUV: [Point]
    /// 0 (invisible) … 1.
    package var visibility: [Float]
    /// The factor of the layer's brightness, then the skin's brightness divided by its mean. Empty: 1 everywhere.
    package var light: [Point] = []

    package init(
        triangles: [Triangle], positions: [Point], textureCoordinates: [Point], canonicalUV: [Point],
        visibility: [Float]
    ) {
        self.triangles = triangles
        self.positions = positions
        self.textureCoordinates = textureCoordinates
        self.canonicalUV = canonicalUV
        self.visibility = visibility
    }

    /// The smallest box around the vertices that triangles use; nil without triangles.
    var extent: Extent? {
        guard let first = triangles.first else { return nil }
        var (low, high) = (positions[first.a], positions[first.a])
        for triangle in triangles {
            let (a, b, c) = (positions[triangle.a], positions[triangle.b], positions[triangle.c])
            low = pointwiseMin(low, pointwiseMin(a, pointwiseMin(b, c)))
            high = pointwiseMax(high, pointwiseMax(a, pointwiseMax(b, c)))
        }
        return Extent(low: low, high: high)
    }

    /// Texels of the colour source per pixel of the picture along one side, on average over the layer. Mipmap levels are
    /// chosen by it.
    /// - Parameters:
    ///   - width: of the texture, in texels.
    ///   - height: likewise.
    package func texelsPerPixel(width: Int, height: Int) -> Float {
        var (onTexture, inPicture): (Float, Float) = (0, 0)
        for triangle in triangles {
            onTexture += abs(triangle.doubleArea(textureCoordinates))
            inPicture += abs(triangle.doubleArea(positions))
        }
        let texels = onTexture * Float(width) * Float(height)
        return (texels / max(inPicture, .leastNormalMagnitude)).squareRoot()
    }

    /// The least offset that takes it into the picture, at most by its size: it leaves with its face.
    func offset(into bounds: PixelRectangle) -> Point {
        guard let extent else { return .zero }
        let low = Point(Float(bounds.x), Float(bounds.y))
        let high = low + Point(Float(bounds.width), Float(bounds.height))
        let most = extent.high - extent.low
        let needed = pointwiseMax(.zero, low - extent.low) - pointwiseMax(.zero, extent.high - high)
        return pointwiseMax(-most, pointwiseMin(most, needed))
    }

    /// A rectangle that covers all of the colour source.
    package static func rectangle(_ positions: [Point], canonicalUV: [Point]) -> LayerGeometry {
        LayerGeometry(
            triangles: rectangleTriangles, positions: positions, textureCoordinates: rectangleCorners,
            canonicalUV: canonicalUV, visibility: rectangleVisibility)
    }

    private static let rectangleTriangles = [Triangle(0, 1, 2), Triangle(0, 2, 3)]
    private static let rectangleVisibility: [Float] = [1, 1, 1, 1]

    /// Clockwise from the top left.
    package static let rectangleCorners = [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)]
}

/// The corners of a box in the picture, pixels.
struct Extent {
    var low: Point
    var high: Point

    mutating func formUnion(_ other: Extent) {
        low = pointwiseMin(low, other.low)
        high = pointwiseMax(high, other.high)
    }

    var box: FaceBox { FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) }
}

extension PixelRectangle {
    /// The pixels that triangles inside a box can touch, with a margin of one pixel.
    init(covering box: FaceBox) {
        // Far outside any picture, integers would overflow.
        func clamped(_ value: Float) -> Int { Int(max(-1e6, min(1e6, value))) }
        let left = clamped(box.x.rounded(.down)) - 1
        let top = clamped(box.y.rounded(.down)) - 1
        self.init(
            x: left, y: top, width: clamped((box.x + box.width).rounded(.up)) + 1 - left,
            height: clamped((box.y + box.height).rounded(.up)) + 1 - top)
    }
}
