import Detection
import Evaluation
import Files
import ImageFiles
import LandmarkModels
import Pixels

/// The speed of our evaluation of a landmark model beside dlib's, measured alternately on the same faces.
package struct LandmarkBenchmark {
    package private(set) var faces = 0
    package let repetitions: Int
    /// Milliseconds per face.
    package private(set) var cascade = Samples("cascade")
    /// Milliseconds per face.
    package private(set) var dlib = Samples("dlib")
    package let cascadeLoading: Duration
    package let dlibLoading: Duration

    /// The time of our evaluation as a fraction of dlib's.
    package var ratio: Double { cascade.median / dlib.median }

    /// - Throws: `EvaluationError` if there is no face in the photographs, `PictureError`, `VisionError`.
    package init(photographs: [String], model: FilePath, repetitions: Int, isStopped: StopCheck) throws {
        self.repetitions = repetitions
        let clock = ContinuousClock()
        let start = clock.now
        let ours = try LandmarkCascade(modelPath: model)
        let opened = clock.now
        let theirs = try DlibLandmarkPredictor(modelPath: model)
        cascadeLoading = opened - start
        dlibLoading = clock.now - opened
        let detector = try HOGFaceDetector()
        for path in photographs {
            let photograph = try PictureReader.read(path).pixels.withEightBits()
            let grey = try photograph.grey(width: photograph.width, height: photograph.height)
            for detection in try detector.detections(in: grey) {
                faces += 1
                // The first evaluations load the model's pages, and are not measured.
                _ = try ours.landmarks(in: grey, box: detection.box)
                _ = try theirs.landmarks(in: grey, box: detection.box)
                for _ in 0..<repetitions {
                    try checkStop(isStopped)
                    let first = clock.now
                    _ = try ours.landmarks(in: grey, box: detection.box)
                    let second = clock.now
                    _ = try theirs.landmarks(in: grey, box: detection.box)
                    cascade.add(second - first)
                    dlib.add(clock.now - second)
                }
            }
        }
        guard faces > 0 else {
            throw EvaluationError(.unusableInput, "there is no face in \(photographs.joined(separator: ", "))")
        }
    }
}
