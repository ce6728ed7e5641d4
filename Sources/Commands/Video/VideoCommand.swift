import CommandLine
import FaceTracking
import Files
import Glibc
import Masking

/// `bauta video`: masks on recorded videos.
enum VideoCommand {
    private static let output = Option<String>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "The folder for the results; for a single video also a file.")
    private static let quality = Option<Int>(
        "quality", value: "number", in: 0...51, default: 18, help: "H.264 quality (CRF); lower is better.")
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 1...100_000_000, defaultText: "all",
        help: "Process only the first N frames of each video.")
    private static let json = Flag(
        "json", help: "Print one JSON object per video: frames, masked frames, where a face was bare, speed.")
    private static let whenLost = MaskingOptions.whenLost(default: .hide)

    static let definition = CommandDefinition(
        name: "video", overview: "Put a mask on every face of recorded videos.",
        discussion: """
            Reads what ffmpeg reads and writes MP4, MOV or Matroska with H.264. Faces are tracked with the frames before \
            and after each frame, so masks do not lag. Sound, subtitles, chapters, metadata, frame times and colour tags \
            are kept; a video that is stored rotated is written upright. An input is never overwritten, and a result gets \
            its name only when it is complete. Frames in which a face that had been followed was without its mask are \
            listed at the end.
            """,
        arguments: [ArgumentDefinition(name: "input", help: "Videos.", repeats: true)],
        options: [
            MaskingOptions.mask, output, MaskingOptions.faces, MaskingOptions.smallestFace, whenLost, quality,
            MaskingOptions.force, frames, json, MaskingOptions.quiet,
        ] + ModelOptions.all,
        examples: [
            "bauta video film.mp4                          # masked/film.mp4",
            "bauta video --mask skull *.mov --output skulls",
            "bauta video --when-lost blur interview.mp4    # rather a blurred picture than a bare face",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let jobs = try jobs(arguments)
        let masker = try VideoMasker(settings(arguments), data: try DataFolder.find())
        var failures = 0
        for job in jobs {
            do {
                let summary = try process(job, masker, isQuiet: arguments[MaskingOptions.quiet])
                if arguments[json] { Console.output(summary.json.text() + "\n") }
            } catch {
                let failure = CommandFailure(classifying: error)
                if Interrupt.isRequested || jobs.count == 1 { throw failure }
                Console.error("bauta: \(failure.description)\n")
                failures += 1
            }
        }
        return failures == 0 ? .success : .dataError
    }

    private static func settings(_ arguments: ParsedArguments) -> VideoMasker.Settings {
        var settings = VideoMasker.Settings()
        settings.mask = arguments[MaskingOptions.mask]
        settings.models = FaceModels(arguments)
        settings.faces = arguments[MaskingOptions.faces]
        settings.smallestFace = Float(arguments[MaskingOptions.smallestFace]) / 100
        settings.whenLost = arguments[whenLost]
        settings.quality = arguments[quality]
        settings.frameLimit = arguments[frames]
        settings.replaces = arguments[MaskingOptions.force]
        return settings
    }

    private static func process(
        _ job: (input: String, output: String), _ masker: VideoMasker, isQuiet: Bool
    ) throws -> VideoMasker.Summary {
        var progress = VideoProgress(isQuiet: isQuiet)
        let summary = try masker.process(
            input: job.input, output: job.output, isCancelled: { Interrupt.isRequested },
            progress: { progress.note($0, $1) })
        guard let summary else {
            throw CommandFailure(.interrupted, "\(job.output): interrupted; nothing is left of it")
        }
        progress.finish(summary)
        return summary
    }

    /// The output path of each input. Clashes are found before anything is written.
    private static func jobs(_ arguments: ParsedArguments) throws -> [(input: String, output: String)] {
        let target = arguments[output]
        let isFile = VideoMasker.format(of: target) != nil && !Folder.exists(target) && !target.hasSuffix("/")
        if isFile {
            guard arguments.positional.count == 1 else {
                throw CommandFailure(
                    .usage, "\(target): \(arguments.positional.count) videos cannot go into one file; name a folder")
            }
            return [(arguments.positional[0], target)]
        }
        if access(target, F_OK) == 0, !Folder.exists(target) {
            throw CommandFailure(
                .cannotCreate, "\(target): is a file, where a folder is needed; or name one that ends in .mp4")
        }
        var outputs: [String: String] = [:]
        return try arguments.positional.map { input in
            var name = input.split(separator: "/").last.map(String.init) ?? input
            if VideoMasker.format(of: name) == nil {
                // Other containers do not take H.264, or not every kind of sound.
                if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
                name += ".mkv"
            }
            let output = (target.hasSuffix("/") ? target : target + "/") + name
            if let other = outputs.updateValue(input, forKey: output) {
                throw CommandFailure(.usage, "\(other) and \(input) would both become \(output)")
            }
            return (input, output)
        }
    }
}
