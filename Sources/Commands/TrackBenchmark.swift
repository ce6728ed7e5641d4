import CommandLine
import FaceGeometry
import FaceTracking
import JSON
import Masking
import Media
import Pixels

/// `bauta bench track`: what following faces costs a frame, beside the least that anything would cost.
enum TrackBenchmark {
    static let definition = CommandDefinition(
        name: "track", overview: "Measure following the faces of a clip, by stage.",
        discussion: """
            Milliseconds a frame. The detector runs on its own thread, as live, and does not count. Beside the \
            tracker, the floor is measured on the same frames: one call of dlib's landmark predictor, one grey \
            conversion and one copy of the frame.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.")],
        options: [
            OptionDefinition(name: "frames", value: "count", help: "Read no more than this. (default: 300)"),
            OptionDefinition(name: "width", value: "pixels", help: "Scale the frames to this. (default: 1280)"),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta bench track clip.mp4"], run: run)

    /// The durations of one stage over the frames, in milliseconds.
    private struct Stage {
        let name: String
        var values: [Double] = []

        func percentile(_ share: Double) -> Double {
            let sorted = values.sorted()
            guard !sorted.isEmpty else { return 0 }
            return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }

        var median: Double { percentile(0.5) }
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
        let clip = try ClipReader(
            arguments.positional[0], size: .width(try arguments.integer("width", in: 64...8192) ?? 1280),
            frames: try arguments.integer("frames", in: 10...10_000_000) ?? 300)
        let tracker = try FaceTracker(
            cascade: try LandmarkCascade(modelPath: model), reference: try DataFolder.find().referenceFace())
        let predictor = try DlibLandmarkPredictor(modelPath: model)
        var ours = ["follow", "smooth", "scene", "search", "frame"].map { Stage(name: $0) }
        var floor = ["dlib", "grey", "copy", "floor"].map { Stage(name: $0) }
        var detector = Stage(name: "detector")
        var faceCounts: [Int] = []

        let clock = ContinuousClock()
        var frame = try clip.makeFrame()
        var copy = try clip.makeFrame()
        var frames = 0
        while let seconds = try clip.read(into: &frame) {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            let start = clock.now
            try tracker.track(frame, at: seconds)
            let total = (clock.now - start).milliseconds
            frames += 1
            guard let face = tracker.faces.first else { continue }
            let times = tracker.times
            faceCounts.append(tracker.faces.count)
            let stages = [times.follow, times.smooth, times.scene, times.search].map { 1000 * $0 } + [total]
            for (index, value) in stages.enumerated() { ours[index].values.append(value) }
            detector.values.append(1000 * times.detector)

            let predicting = clock.now
            _ = try predictor.landmarks(in: frame, box: face.face.box)
            let converting = clock.now
            let grey = try frame.grey(width: frame.width, height: frame.height)
            let copying = clock.now
            copy.overwrite(with: frame)
            let done = clock.now
            withExtendedLifetime(grey.width) {}
            let least = [converting - predicting, copying - converting, done - copying].map(\.milliseconds)
            for (index, value) in (least + [least.reduce(0, +)]).enumerated() { floor[index].values.append(value) }
        }
        guard !faceCounts.isEmpty else {
            throw CommandFailure(.dataError, "\(arguments.positional[0]): no face is found in it")
        }
        let ratio = ours[4].median / floor[3].median
        let meanFaces = Double(faceCounts.reduce(0, +)) / Double(faceCounts.count)
        if arguments.has("json") {
            func json(_ stages: [Stage]) -> JSONValue {
                .object(
                    stages.map { stage in
                        JSONValue.Member(
                            stage.name,
                            .object([
                                "median": .number(BenchCommand.rounded(stage.median)),
                                "p95": .number(BenchCommand.rounded(stage.percentile(0.95))),
                                "p99": .number(BenchCommand.rounded(stage.percentile(0.99))),
                            ]))
                    })
            }
            let result: JSONValue = .object([
                "frames": .integer(frames), "framesWithFaces": .integer(faceCounts.count),
                "faces": .number(BenchCommand.rounded(meanFaces)), "width": .integer(clip.width),
                "height": .integer(clip.height), "milliseconds": json(ours + [detector]),
                "floorMilliseconds": json(floor), "ratio": .number(BenchCommand.rounded(ratio)),
            ])
            Console.output(result.text(indented: true) + "\n")
            return .success
        }
        func row(_ stage: Stage, _ note: String = "") -> String {
            let cells = [0.5, 0.95, 0.99].map { share in
                let text = StabilityEvaluation.decimal(stage.percentile(share), 2)
                return String(repeating: " ", count: max(0, 9 - text.count)) + text
            }
            return stage.name + String(repeating: " ", count: 10 - stage.name.count) + cells.joined() + note + "\n"
        }
        Console.output(
            """
            \(frames) frames of \(clip.width) × \(clip.height), \(faceCounts.count) of them with faces, \
            \(StabilityEvaluation.decimal(meanFaces, 1)) in the mean

            ms           median      95%      99%

            """ + ours.map { row($0) }.joined() + "\n" + floor.map { row($0) }.joined() + "\n"
                + row(detector, "  on its own thread")
                + "\na frame takes \(StabilityEvaluation.decimal(ratio, 2)) times the floor\n")
        return .success
    }
}
