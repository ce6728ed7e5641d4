import FaceGeometry
import Masks

/// How much of a head small pictures of a mask show. The value is the side of a square around the face, in its heights.
package enum PreviewFraming: Float, CaseIterable, Sendable {
    case face = 1.9
    /// For hats, horns and helmets.
    case head = 3.2

    package init(_ mask: Mask) { self = mask.layers.contains(where: Self.reachesBeyondTheFace) ? .head : .face }

    /// The part of the picture above the middle of the face.
    package var above: Float { self == .face ? 0.58 : 0.64 }

    /// How large the face is, compared with a picture of the same size that shows the face alone.
    var faceScale: Float { Self.face.rawValue / rawValue }

    /// The square that shows the largest face of a picture, and those that are at least half as high.
    /// - Parameters:
    ///   - boxes: of all faces, in pixels, as the result.
    ///   - share: how much of the usual part around a face.
    /// - Returns: nil: there are no faces.
    package func square(around boxes: [FaceBox], share: Float) -> (center: Point, side: Float)? {
        guard let largest = boxes.map(\.height).max() else { return nil }
        var (least, most) = (Point(repeating: .infinity), Point(repeating: -.infinity))
        for box in boxes where box.height >= largest / 2 {
            let side = share * rawValue * box.height
            let center = box.center - Point(0, self == .face ? 0 : (above - 0.5) * side)
            least = pointwiseMin(least, center - Point(side, side) / 2)
            most = pointwiseMax(most, center + Point(side, side) / 2)
        }
        return ((least + most) / 2, (most - least).max())
    }

    /// Of props and large stickers, such as hats.
    private static func reachesBeyondTheFace(_ layer: Layer) -> Bool {
        switch layer.content {
        case .prop: true
        case .sticker(let sticker): sticker.width > 1
        case .warp, .hair, .comic, .deform: false
        }
    }
}
