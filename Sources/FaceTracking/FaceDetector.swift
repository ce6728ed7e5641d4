import CVision
import FaceGeometry
import Pixels

/// Finds faces in a picture that it has never seen before. One belongs to one thread.
package protocol FaceDetector: AnyObject {
    /// How its boxes relate to those that the landmark model was trained with.
    var boxConvention: BoxConvention { get }
    /// The side in pixels of the smallest face that it sees.
    var smallestFace: Int { get }
    /// Whether it sees more in an `rgba8` picture than in a grey one. Those that do take either; the others take grey.
    var seesColor: Bool { get }

    /// The faces in a picture, most confident first, with boxes as the detector draws them.
    func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection]
}

/// A detector's box and its score.
package struct FaceDetection: Equatable, Sendable {
    package var box: FaceBox
    /// Higher is more certain; in the detector's own unit.
    package var score: Double

    package init(box: FaceBox, score: Double) {
        self.box = box
        self.score = score
    }

    init(_ detection: cvision_detection) {
        box = FaceBox(
            x: Float(detection.box.left), y: Float(detection.box.top), width: Float(detection.box.width),
            height: Float(detection.box.height))
        score = detection.confidence
    }
}

/// Where a detector draws its boxes. The landmark model wants them as dlib's detector draws them: square, from above
/// the brows to below the lips. Another detector's box becomes one by a scale and a shift.
package struct BoxConvention: Equatable, Sendable {
    /// The side of dlib's box, in shares of the mean of the box's width and height.
    package var scale: Float
    /// How far the centre of dlib's box is lower, in the same unit.
    package var centerShift: Float

    package init(scale: Float, centerShift: Float) {
        self.scale = scale
        self.centerShift = centerShift
    }

    package static let dlib = BoxConvention(scale: 1, centerShift: 0)

    /// The box for the landmark model.
    package func landmarkBox(_ box: FaceBox) -> FaceBox {
        guard self != .dlib else { return box }
        let unit = (box.width + box.height) / 2
        let side = unit * scale
        let center = box.center + Point(0, unit * centerShift)
        return FaceBox(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)
    }
}

/// Calls one of the C library's detectors, which all answer in the same way.
func collectDetections(
    _ find: (UnsafeMutablePointer<cvision_detection>, Int32, UnsafeMutablePointer<cvision_status>) -> Int32
) throws(VisionError) -> [FaceDetection] {
    let capacity = 4096
    let empty = cvision_detection(box: cvision_box(left: 0, top: 0, width: 0, height: 0), confidence: 0)
    var found = [cvision_detection](repeating: empty, count: capacity)
    var status = cvision_status()
    let count = found.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { find($0, Int32(capacity), &status) } ?? 0
    }
    guard count >= 0 else { throw VisionError(status) }
    return found.prefix(Int(count)).map(FaceDetection.init)
}
