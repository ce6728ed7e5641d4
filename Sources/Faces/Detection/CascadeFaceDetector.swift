import CVision
import Files
import Pixels
import Vision

/// OpenCV's cascades of boosted classifiers: fast, with many false positives (Viola & Jones, "Rapid Object Detection using a
/// Boosted Cascade of Simple Features", CVPR 2001).
package final class CascadeFaceDetector: FaceDetector {
    /// The two cascades for frontal faces in Debian's package opencv-data.
    package enum Features: String, CaseIterable, Sendable {
        /// Haar-like features (Lienhart & Maydt 2002).
        case haar
        /// Local binary patterns.
        case lbp

        package var path: String {
            switch self {
            case .haar: "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml"
            case .lbp: "/usr/share/opencv4/lbpcascades/lbpcascade_frontalface_improved.xml"
            }
        }

        package var boxConvention: BoxConvention {
            switch self {
            case .haar: BoxConvention(scale: 0.91, centerShift: 0.115)
            case .lbp: BoxConvention(scale: 1.374, centerShift: 0.051)
            }
        }
    }

    package let boxConvention: BoxConvention
    package let smallestFace = 40
    package let seesColor = false

    private let handle: OpaquePointer

    /// - Throws: `VisionError` with the path of the file.
    package init(_ features: Features) throws(VisionError) {
        _ = try ModelFile.open(FilePath(features.path))
        var status = cvision_status()
        guard let handle = cvision_cascade_detector_load(features.path, &status) else {
            throw VisionError(status, modelPath: FilePath(features.path), of: "face detector")
        }
        self.handle = handle
        boxConvention = features.boxConvention
    }

    deinit { cvision_cascade_detector_destroy(handle) }

    /// The upright faces in a grey picture. The score is the number of overlapping windows that agree.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        let smallest = Int32(smallestFace)
        return try picture.withVisionImage { (image) throws(VisionError) in
            try collectDetections { cvision_cascade_detector_find(handle, image, smallest, $0, $1, $2) }
        }
    }
}
