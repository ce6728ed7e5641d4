import CommandLine
import FaceGeometry
import FaceTracking
import Glibc
import ImageFiles
import JSON
import Masking
import Media
import Pixels

/// `bauta evaluate stability`: how still landmarks hold, and what that costs in lag.
enum StabilityEvaluation {
    static let definition = CommandDefinition(
        name: "stability", overview: "Measure how still landmarks hold on a clip, and how far they lag behind.",
        discussion: """
            The largest face at the start is followed in four ways: by dlib's own evaluation of the model (dlib), by \
            ours with a 1 € filter (oneEuro, at the setting with the least jitter whose lag is at most half a frame), \
            as live (live), and with what comes after each frame known too (twoPass). All lengths are in shares of \
            the face's width. Jitter is the root mean square of second differences; lag and error are measured \
            against the unsmoothed landmarks under a Gaussian of 1.5 frames that looks both ways. docs/tracking.md \
            says more.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.")],
        options: [
            OptionDefinition(name: "frames", value: "count", help: "Read no more than this. (default: all)"),
            OptionDefinition(name: "width", value: "pixels", help: "Scale the frames to this. (default: 1280)"),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
            OptionDefinition(
                name: "draw", value: "folder", help: "Write each frame with the mesh as live drew it, as JPEG."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta evaluate stability --frames 300 clip.mp4"], run: run)

    /// One way to follow, measured.
    private struct Mode {
        var name: String
        var jitter: Float
        var lag: Float
        var error: Float
        var lostFrames: Int
        var largestStep: Float
        var identitySwitches: Int?
        var note: String?
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
        let clip = try ClipReader(
            arguments.positional[0], size: .width(try arguments.integer("width", in: 64...8192) ?? 1280),
            frames: try arguments.integer("frames", in: 3...10_000_000))
        let recording = try ClipTracking(clip, model: model, reference: reference)
        if let folder = arguments["draw"] {
            recording.overlay = try MeshDrawing(folder: folder, mesh: try data.mesh())
        }
        try recording.run()

        let raw = recording.raw.track
        guard let width = raw.width else {
            throw CommandFailure(.dataError, "\(arguments.positional[0]): no face is found in it")
        }
        let smooth = raw.zeroPhaseGaussian(deviation: 1.5)
        func mode(_ name: String, _ track: LandmarkTrack, switches: Int? = nil, note: String? = nil) -> Mode? {
            guard let jitter = track.jitter, let lag = track.lag(behind: smooth),
                let error = track.distance(to: smooth), let step = track.largestStep
            else { return nil }
            return Mode(
                name: name, jitter: jitter / width, lag: lag, error: error / width, lostFrames: track.lostFrames,
                largestStep: step / width, identitySwitches: switches, note: note)
        }
        let euro = OneEuroBaseline.best(on: raw, times: recording.times, width: width, reference: smooth)
        let modes = [
            mode("raw", raw), mode("dlib", recording.dlib.track), mode("oneEuro", euro.track, note: euro.note),
            mode("live", recording.live, switches: recording.identitySwitches),
            mode("twoPass", recording.twoPass(), switches: recording.identitySwitches),
            mode("reference", smooth),
        ].compactMap { $0 }
        let size = (clip.width, clip.height)
        Console.output(
            arguments.has("json")
                ? json(arguments.positional[0], size, width, modes, recording).text(indented: true) + "\n"
                : table(size, width, modes, recording))
        return .success
    }

    private static func json(
        _ path: String, _ size: (Int, Int), _ width: Float, _ modes: [Mode], _ recording: ClipTracking
    ) -> JSONValue {
        func rounded(_ value: Float) -> JSONValue { .number((Double(value) * 100_000).rounded() / 100_000) }
        return .object([
            "clip": .string(path), "frames": .integer(recording.times.count), "width": .integer(size.0),
            "height": .integer(size.1), "faceWidth": rounded(width),
            "modes": .array(
                modes.map { mode in
                    var members = [
                        JSONValue.Member("name", .string(mode.name)), .init("jitter", rounded(mode.jitter)),
                        .init("lag", rounded(mode.lag)), .init("error", rounded(mode.error)),
                        .init("lostFrames", .integer(mode.lostFrames)),
                        .init("largestStep", rounded(mode.largestStep)),
                    ]
                    if let switches = mode.identitySwitches {
                        members.append(.init("identitySwitches", .integer(switches)))
                    }
                    return .object(members)
                }),
            "events": .object(recording.events.map { JSONValue.Member($0.name, .integer($0.count)) }),
            "milliseconds": .object(
                recording.stages.map { JSONValue.Member($0.name, .number(BenchCommand.rounded($0.median))) }),
        ])
    }

    private static func table(
        _ size: (Int, Int), _ width: Float, _ modes: [Mode], _ recording: ClipTracking
    ) -> String {
        func padded(_ text: String, _ length: Int) -> String {
            String(repeating: " ", count: max(0, length - text.count)) + text
        }
        func fixed(_ value: Float, _ digits: Int) -> String { decimal(Double(value), digits) }
        var text =
            "\(recording.times.count) frames of \(size.0) × \(size.1), the face is \(fixed(width, 0)) pixels wide\n\n"
            + "mode         jitter    lag    error  lost  largest step\n"
        for mode in modes {
            text += mode.name + String(repeating: " ", count: max(0, 10 - mode.name.count))
            text += padded(fixed(mode.jitter, 5), 9) + padded(fixed(mode.lag, 1), 7) + padded(fixed(mode.error, 5), 9)
            text += padded("\(mode.lostFrames)", 6) + padded(fixed(mode.largestStep, 4), 14)
            text += (mode.note.map { "  " + $0 } ?? "") + "\n"
        }
        text +=
            "\nidentity switches: \(recording.identitySwitches)\nevents:"
            + recording.events.map { " \($0.name) \($0.count)" }.joined(separator: ",")
            + "\nmilliseconds a frame (median):"
        text += recording.stages.map { " \($0.name) \(decimal($0.median, 2))" }.joined(separator: ",")
        return text + "\n"
    }

    /// A number with so many digits after the point.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        var factor = 1
        for _ in 0..<digits { factor *= 10 }
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let fraction = "\(scaled % factor)"
        let sign = value < 0 && scaled != 0 ? "−" : ""
        let whole = "\(scaled / factor)"
        if digits == 0 { return sign + whole }
        return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
