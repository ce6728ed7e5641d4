import Compositing
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces

/// The picture of a mask that file managers and galleries show.
enum MaskThumbnail {
    /// The width and height in pixels.
    static let side = 256

    /// A synthetic face that wears the mask, 256 × 256 pixels, `rgba8`.
    static func picture(
        of mask: Mask, renderer: MaskRenderer, reference: ReferenceFace, mesh: FaceMesh
    ) throws -> PixelBuffer {
        let framing = PreviewFraming(mask)
        // Most of the room that is gained is above the face.
        let center = framing == .face ? Point(128, 118) : Point(128, 150)
        let person = try SyntheticPortrait(
            Sample.all[0].face, width: side, height: side,
            placement: DrawnFacePlacement(center: center, faceWidth: 136 * framing.faceScale),
            wall: SIMD4(150, 158, 165, 255), quality: .adaptive, reference: reference)
        var instance = person.instance
        instance.signals.hear(.example)
        var compositor = FaceCompositor(mask: mask, reference: reference, mesh: mesh)
        return try compositor.masked(person.pixels.copy(), on: [instance], encoding: .video, with: renderer)
    }
}
