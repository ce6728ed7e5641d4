import FaceGeometry
import MaskComposition
import MaskRendering
import Masking
import Masks
import Pixels
import SyntheticFaces

/// The picture of a mask that file managers and galleries show.
enum MaskThumbnail {
    private static let side = 256

    /// A synthetic face that wears the mask, 256 × 256 pixels, `rgba8`.
    static func picture(of mask: Mask, renderer: MaskRenderer, reference: ReferenceFace) throws -> PixelBuffer {
        let person = try SyntheticPortrait(
            Sample.all[0].face, width: side, height: side,
            placement: DrawnFacePlacement(center: Point(128, 118), faceWidth: 136), wall: SIMD4(150, 158, 165, 255),
            reference: reference)
        var instance = person.instance
        instance.signals.hear(.example)
        return try FaceCompositor.masked(
            person.pixels.copy(), with: mask, on: [instance], encoding: .video, renderer: renderer)
    }
}
