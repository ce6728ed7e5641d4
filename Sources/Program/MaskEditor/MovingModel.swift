import Cameras
import FaceGeometry
import FaceTracking
import FrameProcessing
import FrameSources

/// The faces of a camera or a clip, tracked as in `bauta live`.
final class MovingModel: EditModelSource {
    private let pipeline: FramePipeline

    init(_ source: FrameSourceDescription, models: FaceModels, reference: ReferenceFace) throws {
        let model = try models.loadLandmarkModel(for: .frames)
        pipeline = FramePipeline(source) {
            LiveAnalyzer(try FaceTracker(model: model, reference: reference) { try models.makeDetector(for: .frames) })
        }
    }

    var trouble: String? {
        let status = pipeline.status
        let trouble = status.waiting ?? status.failure.map { "\($0)" }
        // What a command line would be told is a picture below.
        let end = Camera.Failure.alternatives
        return trouble.map { $0.hasSuffix(end) ? String($0.dropLast(end.count)) : $0 }
    }

    func next() -> EditPicture? {
        guard let frame = pipeline.next(waiting: 0) else { return nil }
        var instances = frame.faces
        let seconds = frame.seconds
        if let sound = frame.sound { for index in instances.indices { instances[index].signals.hear(sound) } }
        return EditPicture(pixels: frame.reusedPixels(), instances: instances, seconds: seconds)
    }

    func stop() { pipeline.stop() }
}
