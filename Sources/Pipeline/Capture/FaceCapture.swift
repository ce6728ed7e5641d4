import Compositing
import FaceGeometry
import Pixels

/// Looks at the frames of a camera and says when one of them is worth keeping. The caller takes frames that have been analysed
/// from a `FramePipeline`, shows them, and keeps those that are taken.
package struct FaceCapture: ~Copyable {
    /// The findings in a frame.
    package struct Result {
        package let step: CaptureTimer.Step
        package let measures: CaptureMeasures
        /// The largest face; nil: none.
        package let face: FaceInstance?
    }

    private let conditions: [CaptureCondition]
    private var timer: CaptureTimer
    private var stillness = Stillness()

    /// - Parameters:
    ///   - countdown: how long nothing must have been missing, in seconds.
    ///   - interval: from one picture to the next countdown, in seconds.
    package init(_ conditions: [CaptureCondition], countdown: Double, interval: Double) {
        self.conditions = conditions
        timer = CaptureTimer(countdown: countdown, interval: interval)
    }

    /// - Throws: `VisionError` or `OutOfMemory`.
    package mutating func look(at frame: borrowing Frame) throws -> Result {
        let face = frame.faces.filter(\.isSeen).max { $0.face.box.area < $1.face.box.area }
        let seconds = frame.seconds ?? 0
        var measures = CaptureMeasures()
        measures.faces = frame.faces.count
        measures.motion = try stillness.motion(in: frame.pixels, face: face, isCut: frame.isCut, at: seconds)
        if let face { measures.note(face, in: frame.pixels) }
        let missing = measures.missing(conditions)
        let moves = conditions.contains(.still) && measures.motion > 1
        return Result(
            step: timer.update(missing: missing, moves: moves, at: seconds), measures: measures, face: face)
    }
}

extension CaptureMeasures {
    fileprivate mutating func note(_ face: FaceInstance, in picture: borrowing PixelBuffer) {
        let (width, height) = (Float(picture.width), Float(picture.height))
        let box = face.face.box
        size = box.width / max(1, min(width, height))
        outside = max(-box.x, -box.y, box.x + box.width - width, box.y + box.height - height, 0) / max(box.width, 1)
        pose = face.face.pose
        eyeOpenness = face.eyeOpenness
        smile = face.signals[.smile]
        mouthOpening = face.signals[.mouthOpening]
        let look = FaceLook(face.face, in: picture)
        (blur, brightness) = (look.blur, look.brightness)
        (overexposed, evenness) = (look.overexposed, look.evenness)
    }
}
