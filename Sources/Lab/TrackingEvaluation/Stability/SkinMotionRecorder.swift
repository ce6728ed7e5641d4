import FaceGeometry
import FaceTracking
import Pixels

/// Records how the skin of one face moves from each frame of a clip to the next.
final class SkinMotionRecorder {
    /// One element for each pair of successive frames; nil over a cut and where no face is known in the first frame.
    private(set) var motions: [[SkinPoints.Motion]?] = []
    /// The same of the forehead.
    private(set) var foreheadMotions: [[SkinPoints.Motion]?] = []

    private var before: PixelBuffer?

    /// - Parameters:
    ///   - frame: the next frame, RGBA.
    ///   - isCut: whether it belongs to another scene than the frame before.
    ///   - face: the face in the frame before.
    func add(_ frame: borrowing PixelBuffer, isCut: Bool, lastFace face: Face?) throws {
        let grey = try frame.grey(width: frame.width, height: frame.height)
        if let before = before.take() {
            func measured(_ region: SkinPoints.Region) throws -> [SkinPoints.Motion]? {
                guard !isCut, let face else { return nil }
                return try SkinPoints.motions(from: before, to: grey, of: face, in: region)
            }
            motions.append(try measured(.face))
            foreheadMotions.append(try measured(.forehead))
        }
        before = consume grey
    }
}
