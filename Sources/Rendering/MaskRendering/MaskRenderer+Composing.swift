import FaceGeometry
import Graphics
import MaskComposition
import Masks
import Occlusion
import Pixels

/// Composing and executing in one call.
extension MaskRenderer {
    /// Draws one mask on faces, in the order given. As for masks that are worn by each.
    package func draw(
        _ mask: Mask, on instances: [FaceInstance], occluders mattes: [Int: OcclusionMatte] = [:],
        at seconds: Double? = nil, in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(GraphicsError) {
        try draw(
            instances.map { WornMask(mask, on: $0) }, occluders: mattes, at: seconds, in: &picture, encoding: encoding)
    }

    /// Draws masks on faces, in the order given.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, straight alpha.
    ///   - mattes: the occluders of the faces, by track ID.
    ///   - seconds: time of the picture, for animations and for smoothing the light; nil for a single picture.
    package func draw(
        _ worn: [WornMask], occluders mattes: [Int: OcclusionMatte] = [:], at seconds: Double? = nil,
        in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(GraphicsError) {
        times = Times()
        guard !worn.isEmpty else { return }
        let start = ContinuousClock.now
        let list = composer.drawList(worn, occluders: mattes, at: seconds, in: picture)
        let composed = (ContinuousClock.now - start) / .seconds(1)
        try execute(list, in: &picture, encoding: encoding)
        composer.recycle(list)
        times.compose = composed
    }

    /// Draws a mask on faces of a single picture, without tracks: they are numbered in order.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(GraphicsError) {
        let instances = faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
        try draw(mask, on: instances, in: &picture, encoding: encoding)
    }
}
