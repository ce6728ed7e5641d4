import CVision
import Files
import Pixels
import Vision

/// OpenCV's FaceDetectorYN with a YuNet network from an ONNX file that the user supplies (Wu, Peng & Yu, "YuNet: A Tiny
/// Millisecond-level Face Detector", Machine Intelligence Research 2023).
package final class YuNetFaceDetector: FaceDetector {
    /// The network's boxes reach from the hairline to the chin and are taller than wide.
    package let boxConvention = BoxConvention(scale: 0.95, centerShift: 0.02)
    package let smallestFace = 10
    package let seesColor = true

    private let handle: OpaquePointer

    /// - Throws: `VisionError` with the path of the file.
    package init(path: some FilePathConvertible) throws(VisionError) {
        _ = try ModelFile.open(path.filePath)
        var status = cvision_status()
        guard let handle = path.filePath.withCString({ cvision_network_detector_load($0, &status) }) else {
            throw VisionError(status, modelPath: path.filePath, of: "face detector")
        }
        self.handle = handle
    }

    deinit { cvision_network_detector_destroy(handle) }

    /// The faces in a picture. The score is the network's, 0…1.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        try picture.withVisionImage { (image) throws(VisionError) in
            try collectDetections { cvision_network_detector_find(handle, image, $0, $1, $2) }
        }
    }
}
