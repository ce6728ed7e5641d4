import CommandLine
import FaceGeometry
import FaceTracking
import Glibc
import JSON
import MaskRendering
import Masking
import Media
import Pixels

/// `bauta bench live`: what a masked frame costs, from a decoded frame in memory to a masked frame in memory.
enum LiveBenchmark {
    static let definition = CommandDefinition(
        name: "live", overview: "Measure masking the frames of a clip live, by stage.",
        discussion: """
            Milliseconds a frame, from a decoded frame in memory to a masked one in memory, without a window. Frames are \
            decoded in blocks beforehand, so that decoding does not take part; they come at most as fast as the clip's \
            own rate, and the detector runs on its own thread, as live.
            """,
        arguments: [ArgumentDefinition(name: "clip", help: "A video that ffmpeg can read.")],
        options: [
            OptionDefinition(name: "mask", letter: "m", value: "name|folder", help: "The mask. (default: bauta)"),
            OptionDefinition(name: "frames", value: "count", help: "Read no more than this. (default: 300)"),
            OptionDefinition(
                name: "size", value: "WxH", help: "Scale and cut the frames to this. (default: 1280x720)"),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta bench live clip.mp4"], run: run)

    private static let stages = ["follow", "smooth", "scene", "search", "upload", "draw", "download", "total"]
    /// Frames that are in memory at a time.
    private static let block = 50

    private final class Frame {
        var pixels: PixelBuffer
        var seconds = 0.0
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let size = try LiveOptions.size(arguments) ?? (1280, 720)
        let clip = try ClipReader(
            arguments.positional[0], size: .filled(width: size.width, height: size.height),
            frames: try arguments.integer("frames", in: 10...10_000_000) ?? 300)
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let mask = try data.mask(arguments["mask"] ?? "bauta", reference: reference)
        let tracker = try FaceTracker(
            model: try LandmarkCascade(modelPath: arguments["model"] ?? LandmarkCascade.defaultModelPath),
            reference: reference)
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let frames = try (0..<block).map { _ in Frame(try clip.makeFrame()) }
        var samples = stages.map { _ in [Double]() }
        var (count, masked) = (0, 0)
        let clock = ContinuousClock()
        let interval = 1 / (clip.information.frameRate ?? 25)
        while true {
            var filled = 0
            while filled < block, let seconds = try clip.read(into: &frames[filled].pixels) {
                frames[filled].seconds = seconds
                filled += 1
            }
            for frame in frames.prefix(filled) {
                if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
                let start = clock.now
                try tracker.track(frame.pixels, at: frame.seconds)
                let faces = tracker.faces.map(\.instance)
                try renderer.draw(mask, on: faces, at: frame.seconds, in: &frame.pixels, encoding: .video)
                let total = (clock.now - start) / .seconds(1)
                count += 1
                // The first frames load what is loaded once.
                if !faces.isEmpty, count > 10 {
                    masked += 1
                    let (tracking, drawing) = (tracker.times, renderer.times)
                    let values = [
                        tracking.follow, tracking.smooth, tracking.scene, tracking.search, drawing.upload,
                        drawing.draw, drawing.download, total,
                    ]
                    for (index, value) in values.enumerated() { samples[index].append(1000 * value) }
                }
                let rest = interval - (clock.now - start) / .seconds(1)
                if rest > 0 { usleep(UInt32(rest * 1e6)) }
            }
            if filled < block { break }
        }
        guard masked > 0 else {
            throw CommandFailure(.dataError, "\(arguments.positional[0]): no face is found in it")
        }
        let sorted = samples.map { $0.sorted() }
        func percentile(_ stage: Int, _ share: Double) -> Double {
            sorted[stage][min(sorted[stage].count - 1, Int(share * Double(sorted[stage].count)))]
        }
        let last = stages.count - 1
        if arguments.has("json") {
            let milliseconds = stages.indices.map { stage in
                JSONValue.Member(
                    stages[stage],
                    .object([
                        "median": .number(BenchCommand.rounded(percentile(stage, 0.5))),
                        "p95": .number(BenchCommand.rounded(percentile(stage, 0.95))),
                        "p99": .number(BenchCommand.rounded(percentile(stage, 0.99))),
                        "share": .number(BenchCommand.rounded(percentile(stage, 0.5) / percentile(last, 0.5))),
                    ]))
            }
            let result: JSONValue = .object([
                "frames": .integer(count), "framesWithFaces": .integer(masked), "width": .integer(clip.width),
                "height": .integer(clip.height), "renderer": .string(renderer.contextDescription),
                "milliseconds": .object(milliseconds),
            ])
            Console.output(result.text(indented: true) + "\n")
            return .success
        }
        let rows = stages.indices.map { stage in
            let cells = [0.5, 0.95, 0.99].map { share in
                let text = DecimalText.fixed(percentile(stage, share), digits: 2)
                return String(repeating: " ", count: max(0, 9 - text.count)) + text
            }
            let percent = Int((100 * percentile(stage, 0.5) / percentile(last, 0.5)).rounded())
            let name = stages[stage]
            return name + String(repeating: " ", count: 10 - name.count) + cells.joined()
                + String(repeating: " ", count: 7 - "\(percent)".count) + "\(percent) %\n"
        }
        Console.output(
            "\(count) frames of \(clip.width) × \(clip.height), \(masked) of them measured with a mask; "
                + "\(renderer.contextDescription)\n\nms           median      95%      99%   share\n" + rows.joined())
        return .success
    }
}
