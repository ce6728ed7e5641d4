import Arguments
import FaceRecognition
import FaceTracking
import Files
import FrameProcessing
import ImageFiles
import Installation
import SourceSelection

/// Enrolling from a clip or a camera.
extension PeopleEnrollCommand {
    /// The clip or the camera, if that is what the arguments name; nil: photographs.
    static func movingPicture(_ paths: [FilePath]) -> SourceOptions.Input? {
        guard let path = paths.first, paths.count == 1 else { return nil }
        let input = SourceOptions.Input(argument: path)
        return switch input {
        case .pictures, .several: nil
        case .clip where PictureReader.isPhotograph(path): nil
        case .camera, .clip, .drawn, .drawnPerson: input
        }
    }

    /// Looks for good faces until there are enough.
    static func frames(
        of input: SourceOptions.Input, _ arguments: ParsedArguments, _ embedder: FaceEmbedder
    ) throws -> EnrolmentFrames {
        var options = SourceOptions()
        (options.input, options.isPaced) = (input, false)
        let reference = try DataFolder.find().referenceFace()
        let models = FaceModels(arguments)
        let model = try models.loadLandmarkModel(for: .frames)
        let source = try options.description(reference: reference) { Console.error("bauta: \($0)\n") }
        let pipeline = FramePipeline(source) {
            var settings = FaceTracker.Settings()
            settings.searchesInBackground = false
            return LiveAnalyzer(
                try FaceTracker(model: model, reference: reference, settings: settings) {
                    try models.makeDetector(for: .frames)
                })
        }
        defer { pipeline.stop() }
        var frames = EnrolmentFrames(embedder)
        var said = ""
        while !frames.isFinished {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted; nobody was enrolled") }
            guard let frame = pipeline.next(waiting: 0.1) else {
                if pipeline.isFinished { break }
                continue
            }
            let before = frames.faces.count
            try frames.take(frame)
            pipeline.reuse(frame.reusedPixels())
            let sentence =
                frames.faces.count > before
                ? "\(frames.faces.count) of \(EnrolmentFrames.wanted) faces" : frames.obstacle ?? said
            // Somebody who sits in front of a camera wants to know what to do.
            if source.isLive, sentence != said { Console.error("bauta: \(sentence)\n") }
            said = sentence
        }
        if let failure = pipeline.status.failure { throw failure }
        return frames
    }
}
