import FaceGeometry
import FaceTracking
import Pixels

/// The simplest way to follow a face, for comparison: the landmark model is evaluated in every frame, in the box around
/// the landmarks of the previous frame, without smoothing.
final class LandmarkChain {
    private(set) var track = LandmarkTrack()

    private let box: (Landmarks) -> OrientedBox
    private let evaluate: (borrowing PixelBuffer, OrientedBox) throws -> Landmarks
    private var last: Landmarks?
    private var doubts = 0

    /// - Parameter box: the box in which the model finds a face that has these landmarks.
    init(
        box: @escaping (Landmarks) -> OrientedBox,
        evaluate: @escaping (borrowing PixelBuffer, OrientedBox) throws -> Landmarks
    ) {
        self.box = box
        self.evaluate = evaluate
    }

    /// Forgets the face, as after a cut to another scene.
    func restart() { last = nil }

    /// - Parameter find: detects the face; called while no face is followed.
    func follow(_ frame: borrowing PixelBuffer, find: (borrowing PixelBuffer) throws -> FaceBox?) throws {
        if let known = last {
            let landmarks = try evaluate(frame, box(known))
            // Where there is no face, evaluations in two boxes differ widely.
            let box = box(landmarks)
            let probe = try evaluate(frame, box.shifted(by: Point(0.06, 0.04)).scaled(by: 1.06))
            var distance: Float = 0
            for index in 0..<Landmarks.count { distance += (probe[index] - landmarks[index]).length }
            doubts = distance / Float(Landmarks.count) > 0.05 * box.side ? doubts + 1 : 0
            last = doubts < 3 ? landmarks : nil
        }
        if last == nil, let box = try find(frame) {
            last = try evaluate(frame, OrientedBox(box))
            doubts = 0
        }
        track.frames.append(last)
    }
}
