import FaceGeometry
import FaceTracking
import Foundation
import LandmarkModels
import Pixels
import Synchronization
import SyntheticFaces
import TestSupport
import Testing

/// A drawn sequence followed by the tracker and, beside it, by dlib's own evaluation of the model, each frame started
/// from the landmarks of the one before.
struct SequenceTracking {
    struct Frame {
        /// Of everybody, in the order of the sequence's actors.
        var truth: [Landmarks]
        var faces: [TrackedFace]
        var dlib: Landmarks?
        var milliseconds: Double
    }

    let sequence: DrawnSequence
    private(set) var frames: [Frame] = []

    /// Sequences that have been tracked: what is found in them does not change from test to test.
    private static let known = Mutex<[String: Known]>([:])

    private final class Known: Sendable {
        let tracking = Mutex<SequenceTracking?>(nil)
    }

    /// All frames of a sequence, tracked.
    static func whole(_ name: String) throws -> SequenceTracking {
        let entry = known.withLock { known in
            let entry = known[name] ?? Known()
            known[name] = entry
            return entry
        }
        // A test that asks for a sequence that another one tracks at the moment waits for it.
        return try entry.tracking.withLock { tracking in
            if let tracking { return tracking }
            let new = try SequenceTracking(name, pictures: pictures(of: name))
            tracking = new
            return new
        }
    }

    private static func sequence(_ name: String) throws -> DrawnSequence {
        try #require(DrawnSequence.all.first { $0.name == name })
    }

    static func pictures(of name: String) throws -> [Picture] {
        let (sequence, reference) = (try sequence(name), try Repository.referenceFace())
        return try (0..<sequence.frameCount).map { Picture(try sequence.picture($0, reference: reference)) }
    }

    /// - Parameter isDropped: frames that the tracker does not get.
    init(_ name: String, pictures: [Picture], isDropped: (Int) -> Bool = { _ in false }) throws {
        let reference = try Repository.referenceFace()
        sequence = try Self.sequence(name)
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings)
        let predictor = try sharedPredictor.get()
        var last: Landmarks?
        for index in pictures.indices where !isDropped(index) {
            let picture = pictures[index]
            let start = ContinuousClock.now
            try tracker.track(picture.pixels, at: sequence.seconds(index))
            let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
            if let known = last {
                last = try predictor.landmarks(in: picture.pixels, box: Self.box(around: known))
            } else if let found = tracker.faces.first {
                last = try predictor.landmarks(in: picture.pixels, box: found.face.box)
            }
            frames.append(
                Frame(
                    truth: sequence.landmarks(index, reference: reference), faces: tracker.faces, dlib: last,
                    milliseconds: milliseconds))
        }
    }

    /// How far the landmarks of the first actor as a whole are from the truth in each frame, in widths of the face; nil
    /// without a face.
    var offsets: [Point?] {
        frames.map { frame in
            guard let truth = frame.truth.first, let face = face(of: 0, in: frame) else { return nil }
            return (face.face.landmarks.center - truth.center) / (truth[16] - truth[0]).length
        }
    }

    /// The longest step of `offsets` between frames with a face: what one sees as a pop.
    var largestSlip: Float {
        let offsets = offsets
        return zip(offsets.dropFirst(), offsets).compactMap { after, before in
            after.flatMap { after in before.map { (after - $0).length } }
        }.max() ?? 0
    }

    /// The tracked face nearest to an actor, if it is near.
    func face(of actor: Int, in frame: Frame) -> TrackedFace? {
        guard frame.truth.indices.contains(actor) else { return nil }
        let truth = frame.truth[actor].bounds
        return frame.faces.min { distance($0, truth) < distance($1, truth) }
            .flatMap { distance($0, truth) < truth.width / 3 ? $0 : nil }
    }

    private func distance(_ face: TrackedFace, _ truth: FaceBox) -> Float {
        (face.face.landmarks.bounds.center - truth.center).length
    }

    /// Errors of the first actor's landmarks, in shares of the face's width.
    struct Errors {
        /// Root mean square of all.
        var total: Float
        /// Of what is left when each landmark's mean offset is taken away. The drawing and the people who annotated
        /// the model's training pictures do not agree to the last pixel where a landmark lies; that says nothing of a
        /// tracker.
        var aboutMean: Float
    }

    func errors(_ landmarks: (Frame) -> Landmarks?) -> Errors? {
        var offsets: [[Point]] = []
        for frame in frames {
            guard let truth = frame.truth.first, let found = landmarks(frame) else { continue }
            let width = (truth[16] - truth[0]).length
            offsets.append((0..<Landmarks.count).map { (found[$0] - truth[$0]) / width })
        }
        guard offsets.count > 5 else { return nil }
        let means = (0..<Landmarks.count).map { point in
            offsets.reduce(Point.zero) { $0 + $1[point] } / Float(offsets.count)
        }
        func meanSquare(_ square: (Point, Point) -> Float) -> Float {
            let sum = offsets.reduce(Float(0)) { sum, frame in
                sum + zip(frame, means).reduce(Float(0)) { $0 + square($1.0, $1.1) }
            }
            return (sum / Float(offsets.count * Landmarks.count)).squareRoot()
        }
        return Errors(
            total: meanSquare { offset, _ in (offset * offset).sum() },
            aboutMean: meanSquare { offset, mean in ((offset - mean) * (offset - mean)).sum() })
    }

    /// The upright box that dlib's detector would draw around landmarks.
    private static func box(around landmarks: Landmarks) -> FaceBox {
        let bounds = landmarks.bounds
        let side = max(bounds.width, bounds.height) / 0.92
        return FaceBox(
            x: bounds.center.x - side / 2, y: bounds.center.y - 0.60 * side, width: side, height: side)
    }
}

/// Pixels in an array.
final class Picture: Sendable {
    let pixels: PixelBuffer
    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}
