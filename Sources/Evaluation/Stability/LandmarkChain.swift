import FaceGeometry
import FaceTracking
import Pixels

/// The simplest way to follow a face, for comparison: the landmark model is evaluated in every frame, in the box around
/// the landmarks of the previous frame, without smoothing.
final class LandmarkChain {
    private(set) var track = LandmarkTrack()

    private let evaluate: (borrowing PixelBuffer, FaceBox) throws -> Landmarks
    private var last: Landmarks?
    private var doubts = 0

    init(evaluate: @escaping (borrowing PixelBuffer, FaceBox) throws -> Landmarks) { self.evaluate = evaluate }

    /// Forgets the face, as after a cut to another scene.
    func restart() { last = nil }

    /// - Parameter find: detects the face; called while no face is followed.
    func follow(_ frame: borrowing PixelBuffer, find: (borrowing PixelBuffer) throws -> FaceBox?) throws {
        if let known = last {
            let landmarks = try evaluate(frame, Self.box(around: known))
            // The model has no confidence value. Where there is no face, evaluations in two boxes differ widely.
            let box = Self.box(around: landmarks)
            let probe = try evaluate(
                frame,
                FaceBox(
                    x: box.x + 0.03 * box.width, y: box.y + 0.01 * box.height, width: 1.06 * box.width,
                    height: 1.06 * box.height))
            var distance: Float = 0
            for index in 0..<Landmarks.count { distance += (probe[index] - landmarks[index]).length }
            doubts = distance / Float(Landmarks.count) > 0.05 * box.width ? doubts + 1 : 0
            last = doubts < 3 ? landmarks : nil
        }
        if last == nil, let box = try find(frame) {
            last = try evaluate(frame, box)
            doubts = 0
        }
        track.frames.append(last)
    }

    /// The box that dlib's detector would report for these landmarks.
    private static func box(around landmarks: Landmarks) -> FaceBox {
        let bounds = landmarks.bounds
        let side = max(bounds.width, bounds.height) / 0.92
        return FaceBox(
            x: bounds.center.x - side / 2, y: bounds.center.y - 0.60 * side, width: side, height: side)
    }
}
