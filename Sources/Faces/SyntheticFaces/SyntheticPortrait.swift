import FaceGeometry
import Pixels

/// A synthetic person in front of a plain wall, with the face that a perfect landmark model would measure: what masks
/// are tried on where there is no photograph.
package struct SyntheticPortrait: ~Copyable {
    /// How finely the picture is drawn.
    package enum Quality: Sendable {
        /// `samples` × `samples` rays for each pixel.
        case samples(Int)
        /// Nine rays at edges, one elsewhere: a third of the time of `samples(3)`.
        case adaptive
        /// One ray for each square of this many pixels a side.
        case coarse(Int)
    }

    /// `rgba8`, opaque.
    package var pixels: PixelBuffer
    /// Landmarks and head points in pixels of `pixels`; track 1.
    package let instance: FaceInstance
    private let drawing: FaceDrawing
    private let scale: Float

    /// - Parameters:
    ///   - placement: in pixels.
    ///   - wall: the colour behind the person; nil: the person's own backdrop.
    package init(
        _ face: DrawnFace, width: Int, height: Int, placement: DrawnFacePlacement, wall: SIMD4<UInt8>? = nil,
        quality: Quality = .samples(3), reference: ReferenceFace
    ) throws(OutOfMemory) {
        let side: Int
        if case .coarse(let pixels) = quality { side = pixels } else { side = 1 }
        let scale = Float(side)
        drawing = FaceDrawing(
            face,
            placement: DrawnFacePlacement(
                center: placement.center / scale, faceWidth: placement.faceWidth / scale,
                cameraDistance: placement.cameraDistance),
            reference: reference)
        var picture = try PixelBuffer(width: width / side, height: height / side, format: .rgba8)
        picture.fill(wall ?? FaceDrawing.encoded(face.identity.backdrop))
        switch quality {
        case .samples(let samples): drawing.draw(into: &picture, samples: samples)
        case .adaptive: try drawing.drawQuickly(into: &picture)
        case .coarse:
            drawing.draw(into: &picture, samples: 1)
            picture = try picture.enlarged(by: side)
        }
        pixels = picture
        self.scale = scale
        instance = drawing.instance { scale * $0 }
    }

    /// The same person as part of a larger picture.
    /// - Parameter origin: the place of this picture's upper left corner there, in pixels.
    package func instance(trackID: Int, origin: Point) -> FaceInstance {
        drawing.instance(trackID: trackID) { scale * $0 + origin }
    }
}
