import FaceGeometry
import Pixels

/// A model that finds the landmarks of a face in a box. Evaluating changes nothing in it: any number of threads may
/// share one.
///
/// A model reports points in the scheme of `Landmarks.topology`. A model with other points of its own (such as
/// MediaPipe's face mesh with 468) maps them to that scheme, and reports the head points that it measures; nothing
/// outside of it needs to change.
package protocol LandmarkModel: AnyObject, Sendable {
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - box: in the convention of dlib's detector (from above the brows to below the lips), in pixels.
    /// - Throws: `VisionError` when the landmarks found are not finite.
    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate

    /// The same in the next frame of a face that is followed. A model of several parts may leave some of them out.
    /// - Parameters:
    ///   - expected: the landmarks that flow predicts, in pixels; nil if the model must be evaluated as a whole.
    ///   - memory: what the model remembers of this face.
    func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate

    /// The same from the box of a detector, which lies on whole pixels and need not be square.
    func estimate(in picture: borrowing PixelBuffer, detected box: FaceBox) throws(VisionError) -> LandmarkEstimate

    /// The box in which to look for a face that has these landmarks, in pixels.
    func box(around landmarks: Landmarks) -> OrientedBox
}

extension LandmarkModel {
    package func box(around landmarks: Landmarks) -> OrientedBox { OrientedBox(around: landmarks) }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        try estimate(in: picture, box: box)
    }

    package func estimate(
        in picture: borrowing PixelBuffer, detected box: FaceBox
    ) throws(VisionError) -> LandmarkEstimate {
        try estimate(in: picture, box: OrientedBox(box))
    }
}

/// What a landmark model finds in one evaluation.
package struct LandmarkEstimate: Equatable, Sendable {
    /// In pixels.
    package var landmarks: Landmarks
    /// In pixels; nil when the model does not measure them. They are then derived from the landmarks.
    package var headPoints: HeadPoints?
    /// How unsure the model is that this is a face, on the scale of `Face.uncertainty`; nil when the model does not
    /// report it. It is then measured by evaluating the model from displaced boxes.
    package var uncertainty: Float?
    /// False if the parts of the model that measure head points and uncertainty were left out: what they found before
    /// still holds.
    package var isWhole = true

    package init(landmarks: Landmarks, headPoints: HeadPoints? = nil, uncertainty: Float? = nil) {
        self.landmarks = landmarks
        self.headPoints = headPoints
        self.uncertainty = uncertainty
    }

    func mapped(_ transform: (Point) -> Point) -> LandmarkEstimate {
        var result = self
        result.landmarks = landmarks.mapped(transform)
        result.headPoints = headPoints.map { points in HeadPoints { transform(points[$0]) } }
        return result
    }
}
