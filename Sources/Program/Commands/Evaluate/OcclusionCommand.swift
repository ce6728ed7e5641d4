import Arguments
import FaceTracking
import Files
import Installation
import JSON
import TrackingEvaluation

/// `bauta lab evaluate occlusion`.
enum OcclusionCommand {
    private static let scale = Option<Float>(
        "scale", value: "factor", absent: 1, limits: "0.5 to 4; default: 1",
        help: "Scale of the synthetic pictures: at 1, 320 × 240 pixels with faces 100 pixels wide."
    ) { (text) throws(InvalidValue) in
        guard let scale = Float(text), (0.5...4).contains(scale) else {
            throw InvalidValue("must be a number from 0.5 to 4")
        }
        return scale
    }

    private static let looksAhead = Flag(
        "look-ahead",
        help: "Track and learn faces as bauta video does, with all frames known. Default: as in live mode.")

    static let definition = CommandDefinition(
        name: "occlusion", overview: "Measure the detection of occluders: hands, cups, microphones.",
        discussion: """
            Without a clip, draws sequences with known hands and sequences without hands, tracks the faces as in live \
            mode, and compares pixel by pixel inside the true outline of the face. Shown: the share of the hands' \
            pixels that the mask leaves visible. Unmasked: the share of the face's own pixels without the mask. \
            Flicker: the share of pixels that change from one to the other and back within three frames. With clips, \
            lists frames with occluders for you to check, with the largest share of the face's bounding box that they \
            cover. Milliseconds are medians over the frames.
            """,
        arguments: [
            ArgumentDefinition(
                name: "clip", help: "Videos that ffmpeg can read.", repeats: true, isOptional: true, kind: .clip)
        ],
        options: [scale, looksAhead, CommonOptions.json], groups: [ModelOptions.group],
        examples: [
            "bauta lab evaluate occlusion", "bauta lab evaluate occlusion --scale 2",
            "bauta lab evaluate occlusion --look-ahead clip.mp4",
        ], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let models = FaceModels(arguments)
        let clips = arguments.positional
        let tracking: OcclusionTracking = arguments[looksAhead] ? .lookAhead : .live
        for clip in clips { InputFiles.protect(clip) }
        if !clips.isEmpty {
            if arguments.has(scale) { throw arguments.invalid(scale, "is for synthetic sequences, not for clips") }
            let results = try clips.map { clip in
                let found = try ClipOcclusion(
                    clip: clip, tracking: tracking, models: models, reference: reference, mesh: mesh,
                    isStopped: { Interrupt.isRequested })
                return (clip, found)
            }
            if arguments[CommonOptions.json] { Console.output(json(results)) } else { Console.output(text(results)) }
            return .success
        }
        let results = try OcclusionEvaluation.all(
            scale: arguments[scale], tracking: tracking, models: models, reference: reference, mesh: mesh,
            isStopped: { Interrupt.isRequested })
        if arguments[CommonOptions.json] { Console.output(json(results)) } else { Console.output(text(results)) }
        return .success
    }

    // MARK: Reports

    private static func rounded(_ value: Double) -> JSONValue { .number(DecimalText.rounded(value, digits: 5)) }
    private static func percent(_ value: Double) -> String { DecimalText.fixed(100 * value, digits: 2) }

    private static func json(_ results: [OcclusionEvaluation]) -> JSONValue {
        .array(
            results.map { result in
                .object([
                    "sequence": .string(result.name), "frames": .integer(result.frames),
                    "handPixels": .integer(result.handPixels), "shown": rounded(result.shownHandShare),
                    "bare": rounded(result.unmaskedShare), "flicker": rounded(result.flickerShare),
                    "milliseconds": rounded(result.duration.median),
                ])
            })
    }

    private static func text(_ results: [OcclusionEvaluation]) -> String {
        var table = TextTable(
            [
                .left("sequence", width: 20), .right("frames", width: 7), .right("shown %", width: 9),
                .right("unmasked %", width: 12), .right("flicker %", width: 11), .right("ms", width: 7),
            ], separator: "")
        table.rows = results.map { result in
            [
                result.name, "\(result.frames)", result.handPixels > 0 ? percent(result.shownHandShare) : "-",
                percent(result.unmaskedShare), percent(result.flickerShare),
                DecimalText.fixed(result.duration.median, digits: 2),
            ]
        }
        return table.text
    }

    private static func json(_ results: [(clip: String, found: ClipOcclusion)]) -> JSONValue {
        .array(
            results.map { clip, found in
                .object([
                    "clip": .string(clip), "frames": .integer(found.frames),
                    "framesWithFaces": .integer(found.facedFrames), "coveredFrames": .integer(found.coveredFrames),
                    "milliseconds": rounded(found.duration.median),
                    "stretches": .array(
                        found.stretches.map { stretch in
                            .object([
                                "first": .integer(stretch.first), "last": .integer(stretch.last),
                                "largestShare": rounded(stretch.largestShare),
                            ])
                        }),
                ])
            })
    }

    private static func text(_ results: [(clip: String, found: ClipOcclusion)]) -> String {
        results.map { clip, found in
            let stretches = found.stretches.map {
                "  frames \($0.first) to \($0.last): \(percent($0.largestShare)) %\n"
            }
            return """
                \(clip): \(found.frames) frames, \(found.facedFrames) with faces, something in front of a face in \
                \(found.coveredFrames); \(DecimalText.fixed(found.duration.median, digits: 2)) ms
                \(stretches.joined())
                """
        }.joined()
    }
}
