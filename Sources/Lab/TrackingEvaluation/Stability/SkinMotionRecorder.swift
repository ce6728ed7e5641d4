import FaceGeometry
import FaceTracking
import Pixels

/// Records how the skin of one face moves from each frame of a clip to the next.
final class SkinMotionRecorder {
    /// One element for each pair of successive frames; nil over a cut and where no face is known in the first frame.
    private(set) var motions: [[SkinPoints.Motion]?] = []

    private var before: PixelBuffer?

    /// - Parameters:
    ///   - frame: the next frame, RGBA.
    ///   - isCut: whether it belongs to another scene than the frame before.
    ///   - face: the face in the frame before.
    func add(_ frame: borrowing PixelBuffer, isCut: Bool, lastFace face: Landmarks?) throws {
        let grey = try frame.grey(width: frame.width, height: frame.height)
        if let before = before.take() {
            motions.append(
                try isCut ? nil : face.map { try SkinPoints.motions(from: before, to: grey, of: $0) })
        }
        before = consume grey
    }
}
