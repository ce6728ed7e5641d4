import Clips
import Evaluation
import FaceGeometry
import FaceTracking
import LandmarkModels
import Pixels

/// The cost of tracking the faces of a clip, by stage, beside a floor: one call of dlib's landmark predictor, one grey
/// conversion and one copy of the frame.
package struct TrackBenchmark {
    package private(set) var frames = 0
    package let width: Int
    package let height: Int
    /// The number of faces in each frame with faces.
    package private(set) var faceCounts = Samples("faces")
    /// Milliseconds per frame with faces: the tracker's stages, and last the whole frame.
    package private(set) var stages = ["follow", "smooth", "scene", "search", "frame"].map { Samples($0) }
    /// Milliseconds of the detector's last search, on its own thread.
    package private(set) var detector = Samples("detector")
    /// Milliseconds of the parts of the floor, and last their sum.
    package private(set) var floor = ["dlib", "grey", "copy", "floor"].map { Samples($0) }

    /// The tracker's time as a multiple of the floor.
    package var ratio: Double { stages[stages.count - 1].median / floor[floor.count - 1].median }

    /// - Parameters:
    ///   - width: the width that frames are scaled to, in pixels.
    ///   - frames: the number of frames to read.
    /// - Throws: `EvaluationError` if there is no face in the clip, `ClipError`, `VisionError`.
    package init(
        clip path: String, width: Int, frames limit: Int, models: FaceModels, reference: ReferenceFace,
        isStopped: StopCheck
    ) throws {
        let clip = try ClipReader(path, size: .width(width), frames: limit)
        (self.width, self.height) = (clip.width, clip.height)
        let tracker = try FaceTracker(model: try models.loadLandmarkModel(for: .frames), reference: reference) {
            try models.makeDetector(for: .frames)
        }
        let predictor = try DlibLandmarkPredictor(modelPath: models.cascade)
        let clock = ContinuousClock()
        var frame = try clip.makeFrame()
        var copy = try clip.makeFrame()
        while let seconds = try clip.read(into: &frame) {
            try checkStop(isStopped)
            let start = clock.now
            try tracker.track(frame, at: seconds)
            let total = clock.now - start
            frames += 1
            guard let face = tracker.faces.first else { continue }
            note(tracker, total)
            try measureFloor(predictor, face.face.box, frame, &copy)
        }
        guard !faceCounts.values.isEmpty else {
            throw EvaluationError(.unusableInput, "\(path): no face was found in it")
        }
    }

    private mutating func note(_ tracker: FaceTracker, _ total: Duration) {
        let times = tracker.times
        faceCounts.add(Double(tracker.faces.count))
        let seconds = [times.follow, times.smooth, times.scene, times.search, total / .seconds(1)]
        for (index, value) in seconds.enumerated() { stages[index].add(1000 * value) }
        detector.add(1000 * times.detector)
    }

    private mutating func measureFloor(
        _ predictor: DlibLandmarkPredictor, _ box: FaceBox, _ frame: borrowing PixelBuffer, _ copy: inout PixelBuffer
    ) throws {
        let clock = ContinuousClock()
        let predicting = clock.now
        _ = try predictor.landmarks(in: frame, box: box)
        let converting = clock.now
        let grey = try frame.grey(width: frame.width, height: frame.height)
        let copying = clock.now
        copy.overwrite(with: frame)
        let done = clock.now
        withExtendedLifetime(grey.width) {}
        let parts = [converting - predicting, copying - converting, done - copying]
        for (index, duration) in (parts + [parts.reduce(.zero, +)]).enumerated() { floor[index].add(duration) }
    }
}
