import Compositing
import FaceGeometry
import FaceTracking

/// A face of the picture that is being looked at.
package struct ReviewFace: Equatable, Sendable {
    package enum Origin: Equatable, Sendable {
        /// By the program, perhaps with little certainty.
        case found(isDoubtful: Bool)
        /// By the person who looks.
        case added
    }

    /// In pixels of the upright picture, in the convention of dlib's detector.
    package let box: FaceBox
    package let origin: Origin
    /// Whether the next run hides it.
    package var isCovered = true

    package init(box: FaceBox, origin: Origin, isCovered: Bool = true) {
        (self.box, self.origin, self.isCovered) = (box, origin, isCovered)
    }

    package var isAdded: Bool { origin == .added }
    package var isDoubtful: Bool { origin == .found(isDoubtful: true) }

    /// Whether a place of the picture is hidden if the face is covered.
    package func contains(_ place: Point) -> Bool { cover.contains(place) }

    /// The area that hides it. With landmarks, which are not known here, it may reach a little further.
    var cover: FaceCover { FaceCover(UnsureFace(box: OrientedBox(box), score: 1)) }
}

extension FaceBox {
    /// From the side of a box to that of the largest square that its cover contains for certain.
    private static let coverRatio: Float = 1.45
    /// Of a dragged rectangle, in pixels: a shorter one is a click.
    private static let smallestDrag: Float = 4

    /// The box whose cover contains a rectangle.
    /// - Parameters:
    ///   - a, b: opposite corners, in pixels of the picture.
    ///   - size: of the picture. What lies beyond its edges does not count.
    /// - Returns: nil if hardly anything of the picture is in the rectangle.
    package init?(covering a: Point, _ b: Point, in size: Point) {
        let low = pointwiseMax(.zero, pointwiseMin(a, b))
        let high = pointwiseMin(size, pointwiseMax(a, b))
        let extent = high - low
        guard extent.min() > 0, extent.max() >= Self.smallestDrag else { return nil }
        self.init(center: (low + high) / 2, side: max(1, extent.max() / Self.coverRatio))
    }

    /// A square.
    package init(center: Point, side: Float) {
        self.init(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)
    }
}
