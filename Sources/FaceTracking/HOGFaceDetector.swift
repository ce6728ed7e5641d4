import CVision
import Pixels

/// dlib's frontal face detector: histograms of oriented gradients under a sliding window (Dalal & Triggs 2005; King,
/// "Max-Margin Object Detection", 2015).
package final class HOGFaceDetector: FaceDetector {
    /// The side of the smallest face that the detector finds, in pixels; for smaller faces the picture is magnified.
    package static let windowSide = 80

    package let boxConvention = BoxConvention.dlib
    package let smallestFace = HOGFaceDetector.windowSide
    package let seesColor = false

    private let handle: OpaquePointer

    package init() throws(VisionError) {
        var status = cvision_status()
        guard let handle = cvision_face_detector_create(&status) else { throw VisionError(status) }
        self.handle = handle
    }

    deinit { cvision_face_detector_destroy(handle) }

    /// The upright faces in a grey picture. The score is the distance from the decision boundary, above 0.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        try picture.withVisionImage { (image) throws(VisionError) in
            try collectDetections { cvision_face_detector_find(handle, image, 0, $0, $1, $2) }
        }
    }
}
