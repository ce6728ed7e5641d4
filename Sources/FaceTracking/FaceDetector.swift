import CVision
import FaceGeometry
import Pixels

/// dlib's frontal face detector: histograms of oriented gradients under a sliding window. It belongs to one thread.
package final class FaceDetector {
    /// The side in pixels of the smallest face that the detector sees; smaller ones need a larger picture.
    package static let windowSide = 80

    private let handle: OpaquePointer

    package init() throws(VisionError) {
        var status = cvision_status()
        guard let handle = cvision_face_detector_create(&status) else { throw VisionError(status) }
        self.handle = handle
    }

    deinit { cvision_face_detector_destroy(handle) }

    /// A box and how sure the detector is of it.
    package struct Detection: Sendable {
        package var box: FaceBox
        /// Distance from the decision boundary, above 0.
        package var confidence: Double
    }

    /// The upright faces in a grey picture, most confident first.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [Detection] {
        let capacity = 4096
        let empty = cvision_detection(box: cvision_box(left: 0, top: 0, width: 0, height: 0), confidence: 0)
        var found = [cvision_detection](repeating: empty, count: capacity)
        var status = cvision_status()
        let count = picture.withVisionImage { image in
            cvision_face_detector_find(handle, image, 0, &found, Int32(capacity), &status)
        }
        guard count >= 0 else { throw VisionError(status) }
        return found.prefix(Int(count)).map { detection in
            Detection(
                box: FaceBox(
                    x: Float(detection.box.left), y: Float(detection.box.top), width: Float(detection.box.width),
                    height: Float(detection.box.height)),
                confidence: detection.confidence)
        }
    }
}
