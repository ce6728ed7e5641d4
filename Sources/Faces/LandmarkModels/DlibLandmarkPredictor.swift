import CVision
import FaceGeometry
import Files
import Pixels
import Vision

/// dlib's own evaluation of a landmark model: the reference implementation that `LandmarkCascade` is compared with in
/// tests and benchmarks.
///
/// It is a shape predictor (Kazemi & Sullivan, "One Millisecond Face Alignment with an Ensemble of Regression Trees",
/// CVPR 2014). Predicting changes nothing in it: any number of threads may share one.
package final class DlibLandmarkPredictor: LandmarkModel, @unchecked Sendable {
    private let handle: OpaquePointer

    /// Loads a model, which takes more than half a second.
    /// - Throws: `VisionError` with the path of the file.
    package init(modelPath: some FilePathConvertible) throws(VisionError) {
        _ = try ModelFile.open(modelPath.filePath)
        var status = cvision_status()
        guard let handle = modelPath.filePath.withCString({ cvision_landmark_predictor_load($0, &status) }) else {
            throw VisionError(status, modelPath: modelPath.filePath)
        }
        self.handle = handle
    }

    deinit { cvision_landmark_predictor_destroy(handle) }

    /// From the upright square with the centre and side of the box: dlib does not rotate boxes.
    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> LandmarkEstimate {
        try estimate(in: picture, detected: FaceBox(box))
    }

    package func estimate(
        in picture: borrowing PixelBuffer, detected box: FaceBox
    ) throws(VisionError) -> LandmarkEstimate {
        LandmarkEstimate(landmarks: try landmarks(in: picture, box: box))
    }

    /// The landmarks of the face in a box, in pixels. dlib rounds them to pixel centres.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits. In RGBA the model reads the mean of red, green and blue.
    ///   - box: in dlib's convention (square, from above the brows to below the lips), rounded to whole pixels.
    package func landmarks(in picture: borrowing PixelBuffer, box: FaceBox) throws(VisionError) -> Landmarks {
        var coordinates = [Float](repeating: 0, count: 2 * Landmarks.count)
        var status = cvision_status()
        guard let area = cvision_box(box) else {
            throw VisionError(.failed, "the landmark model cannot be evaluated in a box that is not finite")
        }
        let predicted = picture.withVisionImage { image in
            cvision_landmark_predictor_predict(handle, image, area, &coordinates, &status)
        }
        guard predicted else { throw VisionError(status) }
        // dlib's origin is the centre of the first pixel, ours its corner.
        let points = (0..<Landmarks.count).map { Point(coordinates[2 * $0] + 0.5, coordinates[2 * $0 + 1] + 0.5) }
        guard let landmarks = Landmarks(points) else {
            throw VisionError(.failed, "the landmark model returned landmarks that are not finite")
        }
        return landmarks
    }
}

extension cvision_box {
    /// Rounded to whole pixels; nil if it is not finite or far outside of any picture.
    init?(_ box: FaceBox) {
        let numbers = SIMD4(box.x, box.y, box.width, box.height)
        guard numbers.min() >= -1e6, numbers.max() <= 1e6, !(numbers.sum().isNaN) else { return nil }
        self.init(
            left: Int32(box.x.rounded()), top: Int32(box.y.rounded()), width: Int32(box.width.rounded()),
            height: Int32(box.height.rounded()))
    }
}
