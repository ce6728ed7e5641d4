import Clips
import Evaluation
import FaceGeometry
import FaceTracking
import Gestures
import Pixels
import SyntheticFaces

/// The gestures that a `GestureRecognizer` recognises in frames that are tracked as in live mode.
package struct GestureEvaluation: Sendable {
    /// A gesture with the time of the frame in which it was complete, in seconds.
    package struct Recognized: Equatable, Sendable {
        package let gesture: Gesture
        package let seconds: Double
    }

    /// The samples of a frame; nil: the wearer was not seen.
    package struct Moment: Sendable {
        package let seconds: Double
        package let sample: GestureSample?
    }

    package private(set) var recognized: [Recognized] = []
    package private(set) var moments: [Moment] = []
    /// Of the recogniser, in microseconds a frame.
    package private(set) var duration = Samples()
    /// The time of the last frame, in seconds.
    package var seconds: Double { moments.last?.seconds ?? 0 }
    package var framesWithFaces: Int { moments.count { $0.sample != nil } }

    private var wearer = Wearer()
    private var recognizer = GestureRecognizer()

    /// - Parameters:
    ///   - every: 1: all frames; 2: each second one, as of a camera of half the rate; and so on.
    /// - Throws: `ClipError`, `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        clip: String, every: Int = 1, models: FaceModels, reference: ReferenceFace, isStopped: StopCheck
    ) throws {
        let reader = try ClipReader(clip)
        let tracker = try models.makeOfflineTracker(reference: reference)
        var frame = try reader.makeFrame()
        var count = 0
        while let seconds = try reader.read(into: &frame) {
            try checkStop(isStopped)
            defer { count += 1 }
            guard count % every == 0 else { continue }
            try add(frame, at: seconds, with: tracker)
        }
    }

    /// - Throws: `VisionError`, and `EvaluationError` if the measurement is stopped.
    init(
        drawn sequence: DrawnSequence, tracker: FaceTracker, reference: ReferenceFace, isStopped: StopCheck
    ) throws {
        for index in 0..<sequence.frameCount {
            try checkStop(isStopped)
            try add(
                try sequence.picture(index, reference: reference), at: sequence.seconds(index), with: tracker)
        }
    }

    private mutating func add(_ frame: borrowing PixelBuffer, at seconds: Double, with tracker: FaceTracker) throws {
        try tracker.track(frame, at: seconds)
        let start = ContinuousClock.now
        if tracker.isCut { recognizer.interrupt() }
        let (face, isNew) = wearer.choose(from: tracker.faces.map(\.instance), at: seconds)
        if isNew { recognizer = GestureRecognizer() }
        let sample = face.map { GestureSample($0) }
        if let gesture = recognizer.update(sample, at: seconds) {
            recognized.append(Recognized(gesture: gesture, seconds: seconds))
        }
        duration.add((ContinuousClock.now - start) / .microseconds(1))
        moments.append(Moment(seconds: seconds, sample: sample))
    }
}
