import CommandLine
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import JSON
import MaskRendering
import Masking
import Masks
import Media
import Pixels

/// Masks one video after another.
final class VideoMasker {
    struct Summary {
        var input: String
        var output: String
        var frames = 0
        /// Frames in which at least one face wears a mask.
        var maskedFrames = 0
        /// Of the video.
        var duration = 0.0
        var seconds = 0.0

        /// As a multiple of real time.
        var speed: Double { seconds > 0 ? duration / seconds : 0 }

        var json: JSONValue {
            .object([
                "input": .string(input), "output": .string(output), "frames": .integer(frames),
                "maskedFrames": .integer(maskedFrames), "duration": .number(BenchCommand.rounded(duration)),
                "seconds": .number(BenchCommand.rounded(seconds)), "speed": .number(BenchCommand.rounded(speed)),
            ])
        }
    }

    private let cascade: LandmarkCascade
    private let reference: ReferenceFace
    private let renderer: MaskRenderer
    private let mask: Mask
    private let faces: FaceChoice
    private let smallestFace: Float
    private let quality: Int
    private let frameLimit: Int?
    private let replaces: Bool
    private let isQuiet: Bool

    init(_ arguments: ParsedArguments) throws {
        faces = try FaceChoice(arguments)
        smallestFace = Float(try arguments.integer("min-face", in: 2...90) ?? 10) / 100
        quality = try arguments.integer("quality", in: 0...51) ?? 18
        frameLimit = try arguments.integer("frames", in: 1...100_000_000)
        replaces = arguments.has("force")
        isQuiet = arguments.has("quiet")
        let data = try DataFolder.find()
        reference = try data.referenceFace()
        mask = try data.mask(arguments["mask"] ?? "bauta", reference: reference)
        cascade = try LandmarkCascade(modelPath: arguments["model"] ?? LandmarkCascade.defaultModelPath)
        renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
    }

    /// ffmpeg's name of the format that a file's name asks for; nil for others than those that take any sound.
    static func format(of path: String) -> String? {
        switch path.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() {
        case "mp4", "m4v": "mp4"
        case "mov": "mov"
        case "mkv": "matroska"
        default: nil
        }
    }

    func process(input: String, output: String) throws -> Summary {
        if !replaces { try AtomicFile.checkIsFree(output) }
        let reader = try ClipReader(input, frames: frameLimit)
        try Folder.createParent(of: output)
        let temporary = TemporaryFile.name(beside: output)
        // Nothing half-done is left, whatever happens.
        defer { unlink(temporary) }
        var settings = ClipWriter.Settings(target: temporary)
        settings.format = Self.format(of: output)
        settings.frameRate = reader.information.frameRate
        settings.source = input
        settings.color = reader.information.color
        settings.isFragmented = false
        settings.quality = quality
        let writer = try ClipWriter(width: reader.width, height: reader.height, settings: settings)

        var trackerSettings = FaceTracker.Settings()
        trackerSettings.smallestFace = smallestFace
        let tracker = try LookAheadTracker(model: cascade, reference: reference, settings: trackerSettings)
        var summary = Summary(input: input, output: output)
        var progress = VideoProgress(input: input, information: reader.information, isQuiet: isQuiet)
        var spare = try? reader.makeFrame()
        let clock = ContinuousClock()
        let start = clock.now
        var isEnding = false
        while true {
            if Interrupt.isRequested {
                throw CommandFailure(.interrupted, "\(output): interrupted; nothing is left of it")
            }
            var frame = if let reused = spare.take() { reused } else { try reader.makeFrame() }
            if !isEnding, let seconds = try reader.read(into: &frame) {
                try tracker.add(frame, at: seconds)
            } else {
                isEnding = true
            }
            while var done = tracker.next(isEnding: isEnding) {
                let instances = chosen(done.faces)
                // The smallest first: those are farther away.
                try renderer.draw(mask, on: instances, at: done.seconds, in: &done.pixels, encoding: .video)
                try writer.write(done.pixels, at: done.seconds)
                summary.frames += 1
                summary.maskedFrames += instances.isEmpty ? 0 : 1
                progress.note(frames: summary.frames, seconds: done.seconds)
                summary.duration = done.seconds
                spare = done.reusedPixels()
            }
            if isEnding { break }
        }
        try writer.finish()
        try AtomicFile.rename(temporary, to: output, replacing: replaces)
        summary.duration += 1 / (reader.information.frameRate ?? 25)
        summary.seconds = (clock.now - start) / .seconds(1)
        progress.finish(summary)
        return summary
    }

    private func chosen(_ faces: [FaceInstance]) -> [FaceInstance] {
        let sorted = faces.sorted { $0.face.box.area < $1.face.box.area }
        switch self.faces {
        case .all: return sorted
        case .largest(let count): return Array(sorted.suffix(count))
        }
    }
}
