import Arguments
import Clips
import FaceTracking
import Files
import FrameProcessing
import Gaze
import Glibc
import Installation
import OpenSoundControl
import SourceSelection
import TrackOutput

/// `bauta track`: the faces of a clip or a camera as data.
enum TrackCommand {
    private static let output = Option<FilePath>(
        "output", letter: "o", value: "file", default: "-", defaultText: "standard output",
        help: "The file for the tracks; '-' is standard output.")
    private static let looksAhead = Flag(
        "look-ahead",
        help: "Smooth with earlier and later frames."
    ).details(
        """
        Smooth with earlier and later frames, and track new faces back to where they appear, as 'bauta video' does. \
        Lines are delayed by 0.4 s.
        """)
    private static let findsGaze = Flag(
        "gaze", help: "Also find pupils and gaze with MediaPipe's network of eyes and lips.")
    private static let sound = SoundOptions.input(
        defaultText: "none",
        help: "Also write loudness and beat of the clip's sound, or of the microphone if the source is a camera.")
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 1...1_000_000_000, defaultText: "all", help: "Stop after N frames.")

    static let definition = CommandDefinition(
        name: "track", overview: "Write the faces of a clip or a camera as JSON, one line per frame.",
        discussion: """
            Each line holds the frame's number and time, and for each face its track ID, box, confidence, 68 landmarks, \
            head points, pose and expression; see docs/reference/tracks.md. All frames of a clip are tracked; frames \
            of a camera may be dropped to keep up. A file gets its name only when it is complete. Ctrl-C completes \
            the tracks of a camera, and discards those of a clip.
            """,
        arguments: [SourceArgument.required],
        groups: [
            .input(sound, frames),
            .output(output, MaskingOptions.force, looksAhead, findsGaze, MaskingOptions.quiet),
            .integration(SignalOptions.address, SignalOptions.expressions),
            .advanced(
                LiveOptions.size, LiveOptions.rate, LiveOptions.controls, SoundOptions.microphone,
                MaskingOptions.smallestFace),
            ModelOptions.group,
        ],
        examples: [
            "bauta track film.mp4 --look-ahead --output tracks.jsonl",
            "bauta track 0 | jq -c '.faces[0].signals'          # what a camera sees, now",
            "bauta track 0 --osc 127.0.0.1:39539 -o /dev/null  # to an avatar",
            "bauta track drawn --frames 100 -o tracks.jsonl     # needs no camera",
            "bauta track film.mp4 --sound clip | jq .sound      # loudness and beats",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        var options = try sourceOptions(arguments)
        try SoundOptions.check(sound, arguments, options)
        options.clipSound = arguments[sound] == .clip ? ClipSoundRequest(isWanted: true) : nil
        let reference = try DataFolder.find().referenceFace()
        let models = FaceModels(arguments)
        let model = try models.loadLandmarkModel(for: .frames)
        let gaze = arguments[findsGaze] ? try GazeFollower(requiring: models.networks) : nil
        let isQuiet = arguments[MaskingOptions.quiet]
        let source = try options.description(reference: reference) { sentence in
            if !isQuiet { Console.error("bauta: \(sentence)\n") }
        }
        let signals = try SignalOptions.settings(arguments).map {
            FaceSignalSender(try OSCReceiver($0.address), expressions: $0.expressions) { Console.warning($0) }
        }
        defer { signals?.finish() }
        let file = try GrowingFile(arguments[output], replacing: arguments[MaskingOptions.force])
        var settings = FaceTracker.Settings()
        settings.smallestFace = arguments[MaskingOptions.smallestFace]
        // Where no frame may be dropped, the same clip gives the same tracks.
        settings.searchesInBackground = source.isLive
        let pipeline = FramePipeline(source) { [settings, looksAhead = arguments[looksAhead]] in
            if looksAhead {
                return LookAheadAnalyzer(
                    try models.makeLookAheadTracker(model: model, reference: reference, settings: settings))
            }
            return LiveAnalyzer(
                try FaceTracker(model: model, reference: reference, settings: settings) {
                    try models.makeDetector(for: .frames)
                })
        }
        defer { pipeline.stop() }
        let microphone = arguments[sound] == .microphone ? MicrophoneListener(arguments[SoundOptions.microphone]) : nil
        defer { microphone?.stop() }
        let progress = TrackProgress(
            input: source.name, output: arguments[output], limit: arguments[frames], isQuiet: isQuiet)
        do {
            // A camera has no end of its own, nor has a synthetic face.
            let sink = TrackSink(file, gaze: gaze, signals: signals, reference: reference)
            try write(
                pipeline, to: sink, at: file.path, isEndless: source.isLive || options.input.isDrawn, microphone,
                progress)
        } catch is GrowingFile.ClosedPipe {
            // The reader has what it wanted (`bauta track … | head`).
            return .success
        }
        progress.finish()
        return .success
    }

    /// Writes all frames, or as many as are asked for.
    private static func write(
        _ pipeline: FramePipeline, to sink: TrackSink, at path: FilePath, isEndless: Bool,
        _ microphone: MicrophoneListener?, _ progress: TrackProgress
    ) throws {
        let isComplete = try pipeline.run(into: sink) {
            progress.note(waiting: pipeline.status.waiting)
            progress.note(trouble: microphone?.trouble)
            return Interrupt.isRequested || progress.isEnough
        } compose: { frame in
            if let microphone { frame.sound = microphone.signals(at: frame.captured) }
            progress.note(frame)
        }
        guard !isComplete else { return }
        guard isEndless || progress.isEnough else {
            let rest = path == "-" ? "the output ends here" : "no file was written"
            throw CommandFailure(.interrupted, "\(progress.target): interrupted; \(rest)")
        }
        try sink.finish()
    }

    private static func sourceOptions(_ arguments: ParsedArguments) throws -> SourceOptions {
        var options = try SourceArgument.optionsWithoutPictures(arguments)
        options.isPaced = false
        return options
    }
}
