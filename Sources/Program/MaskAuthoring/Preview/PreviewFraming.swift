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

    /// Of props and large stickers, such as hats.
    private static func reachesBeyondTheFace(_ layer: Layer) -> Bool {
        switch layer.content {
        case .prop: true
        case .sticker(let sticker): sticker.width > 1
        case .warp, .hair, .comic, .deform: false
        }
    }
}
