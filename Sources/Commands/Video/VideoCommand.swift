import CommandLine
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import MaskRendering
import Masks
import Media
import Pixels

/// `bauta video`: masks on recorded videos.
enum VideoCommand {
    static let definition = CommandDefinition(
        name: "video", overview: "Put a mask on every face of recorded videos.",
        discussion: """
            Reads what ffmpeg reads and writes MP4, MOV or Matroska with H.264. Faces are held still with what comes \
            before and after each frame known, so that nothing lags. Sound, subtitles, chapters, metadata, the times of \
            the frames and the meaning of the colours are kept; a video that is stored turned comes out upright. An input \
            is never overwritten, and a result has its name only once it is whole.
            """,
        arguments: [ArgumentDefinition(name: "input", help: "Videos.", repeats: true)],
        options: [
            OptionDefinition(
                name: "mask", letter: "m", value: "name|folder",
                help: "The mask; see 'bauta mask list'. (default: bauta)"
            ),
            OptionDefinition(
                name: "output", letter: "o", value: "folder|file",
                help: "Where the results go; for a single video also a file. (default: masked)"),
            OptionDefinition(
                name: "faces", value: "all|largest|count",
                help: "Which faces: all, the largest, or so many of the largest."),
            OptionDefinition(
                name: "min-face", value: "percent",
                help: "The smallest face to look for, as a share of the picture's height. (default: 10)"),
            OptionDefinition(
                name: "quality", value: "0-51", help: "How H.264 is to look; lower is better. (default: 18)"),
            OptionDefinition(name: "force", letter: "f", help: "Replace results that are there already."),
            OptionDefinition(name: "frames", value: "count", help: "Only so many frames of each."),
            OptionDefinition(
                name: "model", value: "file", help: "A landmark model of dlib's format with 68 landmarks."),
            OptionDefinition(name: "json", help: "Print one JSON object a video: frames, masked frames, speed."),
            OptionDefinition(name: "quiet", letter: "q", help: "Say nothing but errors."),
        ],
        examples: [
            "bauta video film.mp4                          # masked/film.mp4",
            "bauta video --mask skull *.mov --output skulls",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let jobs = try jobs(arguments)
        let masker = try VideoMasker(arguments)
        var failures = 0
        for job in jobs {
            do {
                let summary = try masker.process(input: job.input, output: job.output)
                if arguments.has("json") { Console.output(summary.json.text() + "\n") }
            } catch {
                let failure = CommandFailure(classifying: error)
                if Interrupt.isRequested || jobs.count == 1 { throw failure }
                Console.error("bauta: \(failure.description)\n")
                failures += 1
            }
        }
        return failures == 0 ? .success : .dataError
    }

    /// Where each result goes, with clashes found before anything is written.
    private static func jobs(_ arguments: ParsedArguments) throws -> [(input: String, output: String)] {
        let target = arguments["output"] ?? "masked"
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
                // Other containers do not take H.264, or not whatever sound there is.
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
