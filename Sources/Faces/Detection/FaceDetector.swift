import CVision
import FaceGeometry
import Pixels
import Vision

/// Finds faces in a single picture. A detector belongs to one thread.
package protocol FaceDetector: AnyObject {
    /// How its boxes relate to the boxes that the landmark model was trained with.
    var boxConvention: BoxConvention { get }
    /// The side of the smallest face that it finds, in pixels.
    var smallestFace: Int { get }
    /// Whether it uses colour: then it takes `rgba8` and grey pictures, otherwise only grey ones.
    var seesColor: Bool { get }

    /// The faces in a picture, highest score first, with boxes in the detector's own convention.
    func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection]
}

/// A detector's box and its score.
package struct FaceDetection: Equatable, Sendable {
    package var box: FaceBox
    /// Higher is more certain; in the detector's own unit.
    package var score: Double
    /// By how much the head, and with it the box, is tilted: in radians, positive clockwise in the picture.
    package var roll: Float = 0
    /// In pixels of the picture. Only of a detector that tells faces from other places so well that a landmark model need
    /// not confirm them; nil where it is in doubt.
    package var keyPoints: FaceKeyPoints?

    package init(box: FaceBox, score: Double) {
        self.box = box
        self.score = score
    }

    /// - Parameter box: in the convention of dlib's detector.
    package init(box: OrientedBox, score: Double) {
        self.box = FaceBox(
            x: box.center.x - box.side / 2, y: box.center.y - box.side / 2, width: box.side, height: box.side)
        self.score = score
        roll = box.roll
    }

    package init(_ detection: cvision_detection) {
        box = FaceBox(
            x: Float(detection.box.left), y: Float(detection.box.top), width: Float(detection.box.width),
            height: Float(detection.box.height))
        score = detection.confidence
    }
}

extension FaceDetection {
    /// The width of a face divided by its height, as detectors' boxes have it.
    private static let aspect: Float = 0.75
    /// A box ends at the picture's edge if it is nearer than this, in heights or widths of the box.
    private static let near: Float = 0.03

    /// The whole face, if the picture's edge cuts it: a detector's box ends with what is seen of a face, which is larger.
    /// - Parameter size: of the picture, in pixels.
    package func completed(in size: Point) -> FaceDetection {
        var detection = self
        let missing = Point(Self.aspect * box.height - box.width, box.width / Self.aspect - box.height)
        let reach = Self.near * max(box.width, box.height)
        if missing.x > 0, box.x <= reach || box.x + box.width >= size.x - reach {
            if box.x <= reach { detection.box.x -= missing.x }
            detection.box.width += missing.x
        } else if missing.y > 0, box.y <= reach || box.y + box.height >= size.y - reach {
            if box.y <= reach { detection.box.y -= missing.y }
            detection.box.height += missing.y
        }
        return detection
    }
}

/// How a detector places its boxes. Landmark models take boxes in the convention of dlib's detector: square, from above
/// the brows to below the lips. The boxes of another detector are converted by a scale and a shift.
package struct BoxConvention: Equatable, Sendable {
    /// The side of dlib's box divided by the mean of the box's width and height.
    package var scale: Float
    /// How far the centre of dlib's box is below the box's centre, in the mean of its width and height. If the head is
    /// tilted: along the head.
    package var centerShift: Float

    package init(scale: Float, centerShift: Float) {
        self.scale = scale
        self.centerShift = centerShift
    }

    package static let dlib = BoxConvention(scale: 1, centerShift: 0)

    /// The box of a detection in dlib's convention.
    package func landmarkBox(_ detection: FaceDetection) -> OrientedBox {
        var box = OrientedBox(detection.box)
        box.roll = detection.roll
        return box.shifted(by: Point(0, centerShift)).scaled(by: scale)
    }

    /// The box in dlib's convention.
    package func landmarkBox(_ box: FaceBox) -> FaceBox {
        guard self != .dlib else { return box }
        let unit = (box.width + box.height) / 2
        let side = unit * scale
        let center = box.center + Point(0, unit * centerShift)
        return FaceBox(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)
    }
}

/// Calls one of the C library's detectors and collects its detections.
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
