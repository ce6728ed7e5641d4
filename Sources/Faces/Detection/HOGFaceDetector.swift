import CVision
import Pixels
import Vision

/// dlib's frontal face detector: histograms of oriented gradients under a sliding window (Dalal & Triggs 2005; King,
/// "Max-Margin Object Detection", 2015).
package final class HOGFaceDetector: FaceDetector {
    /// The side of the smallest face that the detector finds, in pixels; for smaller faces the picture is magnified.
    package static let windowSide = 80

    package let boxConvention = BoxConvention.dlib
    package let smallestFace = HOGFaceDetector.windowSide
    package let seesColor = false

    /// The score above which the next searches report a face.
    package var leastScore = 0.0

    private let handle: OpaquePointer

    package init() throws(VisionError) {
        var status = cvision_status()
        guard let handle = cvision_face_detector_create(&status) else { throw VisionError(status) }
        self.handle = handle
    }

    deinit { cvision_face_detector_destroy(handle) }

    /// The upright faces in a grey picture. The score is the distance from the decision boundary, above 0.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        let (width, height) = (picture.width, picture.height)
        let tiles = SearchTiles.tiles(width: width, height: height)
        var found: [FaceDetection] = []
        for tile in tiles {
            found += try picture.withVisionImage { (image) throws(VisionError) in
                var part = image.pointee
                part.pixels = part.pixels.map { $0 + tile.y * part.bytes_per_row + tile.x * Int(part.channels) }
                (part.width, part.height) = (Int32(tile.width), Int32(tile.height))
                return try collectDetections { cvision_face_detector_find(handle, &part, leastScore, $0, $1, $2) }
            }.map { detection in
                var detection = detection
                detection.box.x += Float(tile.x)
                detection.box.y += Float(tile.y)
                return detection
            }
        }
        return tiles.count == 1 ? found : SearchTiles.merged(found)
    }
}
