import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Occlusion
import Pixels

/// Composing and executing in one call, for a picture that is part of no stream.
extension MaskRenderer {
    /// Draws a mask on faces, in the order given.
    package func draw(
        _ mask: Mask, on instances: [FaceInstance], occluders mattes: [Int: OcclusionMatte] = [:],
        at seconds: Double? = nil, in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws {
        let composer = MaskComposer(reference: try Repository.referenceFace(), mesh: try Repository.mesh())
        let list = composer.drawList(mask, on: instances, occluders: mattes, at: seconds, in: picture)
        try execute(list, in: &picture, encoding: encoding)
    }

    /// Draws a mask on faces without tracks: they are numbered in order.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws {
        let instances = faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
        try draw(mask, on: instances, in: &picture, encoding: encoding)
    }
}
