import FaceGeometry
import Pixels
import Vision

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
    ///   - memory: the model's memory of this face.
    func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate

    /// Takes from a frame what the costly part of the model needs, so that any thread can evaluate it, also when the frame's
    /// memory is used otherwise. Nil: no part of the model is worth it.
    /// - Returns: pass it to `recycle` after use.
    func prepare(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> PreparedEvaluation?

    /// The result of the costly part alone. Evaluates it unless that has been done.
    func result(of prepared: PreparedEvaluation) throws(VisionError) -> LandmarkEstimate

    /// As `estimate(in:box:)` in the frame for which the costly part was prepared, in about the same box.
    /// - Parameter memory: what the model remembers of this face: it learns from all parts.
    func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, with prepared: PreparedEvaluation,
        memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate

    /// The result of the whole model in a frame in which `estimate` left out the costly part, which was prepared.
    /// Evaluates it unless that has been done.
    /// - Parameters:
    ///   - part: the other part's result in the same box.
    ///   - memory: as above.
    func complete(
        _ prepared: PreparedEvaluation, with part: Landmarks, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate

    /// Nobody needs a prepared evaluation any more.
    func recycle(_ prepared: PreparedEvaluation)

    /// The same as `estimate` from the box of a detector, which lies on whole pixels and need not be square.
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

    package func prepare(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> PreparedEvaluation? { nil }

    package func result(of prepared: PreparedEvaluation) throws(VisionError) -> LandmarkEstimate {
        try prepared.input.estimate()
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, with prepared: PreparedEvaluation,
        memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate { try result(of: prepared) }

    package func complete(
        _ prepared: PreparedEvaluation, with part: Landmarks, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate { try result(of: prepared) }

    package func recycle(_ prepared: PreparedEvaluation) {}

    package func estimate(
        in picture: borrowing PixelBuffer, detected box: FaceBox
    ) throws(VisionError) -> LandmarkEstimate {
        try estimate(in: picture, box: OrientedBox(box))
    }
}

/// The result of one evaluation of a landmark model.
package struct LandmarkEstimate: Equatable, Sendable {
    /// In pixels.
    package var landmarks: Landmarks
    /// In pixels; nil when the model does not measure them. They are then derived from the landmarks.
    package var headPoints: HeadPoints?
    /// How unsure the model is that this is a face, on the scale of `Face.uncertainty`; nil when the model does not
    /// report it. It is then measured by evaluating the model from displaced boxes.
    package var uncertainty: Float?
    /// If the parts of the model that measure head points and uncertainty were left out (what they found before still
    /// holds): the landmarks that the only part has found, without the corrections by the others, in pixels.
    package var part: Landmarks?
    /// Whether the landmarks of the lids are where the picture shows lids, also closed ones.
    package var hasExactLids: Bool

    package init(
        landmarks: Landmarks, headPoints: HeadPoints? = nil, uncertainty: Float? = nil, hasExactLids: Bool = false
    ) {
        self.hasExactLids = hasExactLids
        self.landmarks = landmarks
        self.headPoints = headPoints
        self.uncertainty = uncertainty
    }

    package var isWhole: Bool { part == nil }

    package func mapped(_ transform: (Point) -> Point) -> LandmarkEstimate {
        var result = self
        result.landmarks = landmarks.mapped(transform)
        result.headPoints = headPoints.map { points in HeadPoints { transform(points[$0]) } }
        return result
    }
}

/// The costly part of a landmark model with its input from a frame.
package struct PreparedEvaluation: Sendable {
    let input: any PreparedInput
    /// Where it looks for the face.
    package let box: OrientedBox

    /// Evaluates it ahead of its use, on one thread at a time.
    package func evaluate() { input.evaluate() }
}

/// An evaluation that any thread can do, one at a time.
protocol PreparedInput: AnyObject, Sendable {
    /// Evaluates the input unless that has been done.
    func evaluate()

    /// The result. Evaluates it unless that has been done.
    func estimate() throws(VisionError) -> LandmarkEstimate
}
