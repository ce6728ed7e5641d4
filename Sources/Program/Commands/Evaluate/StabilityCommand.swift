import Arguments
import FaceGeometry
import FaceTracking
import Files
import Installation
import TrackingEvaluation

/// `bauta lab evaluate stability`.
enum StabilityCommand {
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 3...10_000_000, defaultText: "all",
        help: "Stop after this number of frames of each clip.")
    private static let draw = Option<String?>(
        "draw", value: "folder", defaultText: "none",
        help: "Write each frame with the mesh as tracked live to JPEG files in this folder; for a single clip."
    ).takes(.folder)

    static let definition = CommandDefinition(
        name: "stability", overview: "Measure how well the mesh sticks to a moving face in clips.",
        discussion: """
            Follows the largest face at the start of each clip in four ways: with dlib's evaluation of the model \
            (dlib), with our evaluation and a 1 € filter (oneEuro, at the setting with the least jitter whose lag is \
            at most half a frame), as in live mode (live), and with look-ahead smoothing (twoPass). Lengths are \
            fractions of the face's width.
            Slip is how far the mesh moves relative to the skin from frame to frame; whole face: the part of it that \
            all points of the face share; forehead: the slip between the brows and the hairline. A separate optical flow measures the motion of the skin. Drift is the \
            distance from the unsmoothed landmarks (raw), filtered with a Gaussian of half a second; pairs are the \
            pairs of frames in which slip could be measured. Jitter is the root mean square of second differences. Lag \
            (in frames) and error are measured against the unsmoothed landmarks, filtered with a Gaussian of 1.5 \
            frames. See docs/internals/tracking.md.
            """,
        arguments: [
            ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.", repeats: true, kind: .clip)
        ],
        options: [frames, CommonOptions.width, draw, CommonOptions.json], groups: [ModelOptions.group],
        examples: ["bauta lab evaluate stability --frames 300 clip.mp4 another.mkv"], showsElapsedTime: true, run: run)

    /// A clip that cannot be measured does not stop the others.
    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let clips = arguments.positional
        for clip in clips { InputFiles.protect(clip) }
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        if clips.count > 1, arguments[draw] != nil {
            throw UsageError("--draw takes a single clip; \(clips.count) are given.", arguments.commandPath)
        }
        var results: [StabilityReport.Result] = []
        for clip in clips {
            var settings = StabilityEvaluation.Settings(clip: clip, models: FaceModels(arguments))
            settings.frames = arguments[frames]
            settings.width = arguments[CommonOptions.width]
            if let folder = arguments[draw] { settings.drawing = (folder, FaceMarks.drawing(mesh: mesh)) }
            do {
                results.append(
                    (
                        clip,
                        try StabilityEvaluation(settings, reference: reference, mesh: mesh) { Interrupt.isRequested }
                    ))
            } catch {
                let failure = CommandFailure(classifying: error)
                guard clips.count > 1, failure.exitCode != .interrupted else { throw error }
                Console.failure(failure.description)
            }
        }
        if arguments[CommonOptions.json] {
            Console.output(StabilityReport.json(results))
        } else if !results.isEmpty {
            Console.output(StabilityReport.text(results))
        }
        return results.count == clips.count ? .success : .someFailed
    }
}
