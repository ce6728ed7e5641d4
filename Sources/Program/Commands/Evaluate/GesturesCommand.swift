import Arguments
import FaceTracking
import Files
import Gestures
import Installation
import JSON
import TrackingEvaluation

/// `bauta lab evaluate gestures`.
enum GesturesCommand {
    private static let every = Option<Int>(
        "every", value: "count", in: 1...30, default: 1,
        help: "Use every Nth frame of the clips, like a camera with a lower rate.")

    private static let people = Option<Int>(
        "people", value: "count", in: 1...DrawnGestureEvaluation.people, default: DrawnGestureEvaluation.people,
        help: "How many synthetic people to test. The first five cover all frame rates.")

    private static let gesture = Option<DrawnGestureEvaluation.Kind?>(
        "gesture", words: DrawnGestureEvaluation.Kind.self, defaultText: "all",
        help: "Test only this gesture, or none.")

    static let definition = CommandDefinition(
        name: "gestures", overview: "Measure the recognition of gestures for 'live --hands-free'.",
        discussion: """
            With clips, lists each recognised gesture with its time; unintended ones are false alarms. Without clips, \
            tests synthetic people who make each gesture, at 12 to 60 frames per second, with faces of 70 to 130 \
            pixels, heads turned by up to 16°, and noise, and as many people who talk, smile, nod, blink and look \
            around without a gesture. Found: gestures that were recognised exactly once. Others: other or repeated \
            recognitions. Faces are tracked as in live mode. --csv writes the measurements of each frame.
            """,
        arguments: [
            ArgumentDefinition(
                name: "clip", help: "Videos that ffmpeg can read.", repeats: true, isOptional: true, kind: .clip)
        ],
        options: [every, people, gesture, CommonOptions.csv, CommonOptions.json], groups: [ModelOptions.group],
        examples: [
            "bauta lab evaluate gestures", "bauta lab evaluate gestures talk.mp4",
            "bauta lab evaluate gestures --every 2 talk.mp4    # at half the frame rate",
        ], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let reference = try DataFolder.find().referenceFace()
        let models = FaceModels(arguments)
        let clips = arguments.positional
        for clip in clips { InputFiles.protect(clip) }
        if clips.isEmpty, arguments.has(every) {
            throw arguments.invalid(every, "is for clips; synthetic people have several frame rates")
        }
        for option in [people, gesture] as [any CommandOption] where !clips.isEmpty && arguments.has(option) {
            throw arguments.invalid(option, "is for synthetic people, not for clips")
        }
        let isStopped = { Interrupt.isRequested }
        if clips.isEmpty {
            let results = try DrawnGestureEvaluation.all(
                people: arguments[people], kind: arguments[gesture], models: models, reference: reference,
                isStopped: isStopped)
            let trials = results.flatMap { result in
                result.trials.map { ("\(result.name)-\($0.variation + 1)", $0.moments) }
            }
            try writeCSV(trials, arguments)
            if arguments[CommonOptions.json] { Console.output(json(results)) } else { Console.output(text(results)) }
            return .success
        }
        let results = try clips.map { clip in
            let result = try GestureEvaluation(
                clip: clip, every: arguments[every], models: models, reference: reference, isStopped: isStopped)
            return (clip: clip, result: result)
        }
        try writeCSV(results.map { ($0.clip, $0.result.moments) }, arguments)
        if arguments[CommonOptions.json] { Console.output(json(results)) } else { Console.output(text(results)) }
        return .success
    }

    // MARK: Reports

    private static func writeCSV(
        _ sources: [(name: String, moments: [GestureEvaluation.Moment])], _ arguments: ParsedArguments
    ) throws {
        guard let path = arguments[CommonOptions.csv] else { return }
        let head = "source,seconds,mouthOpening,smile,browRaise,eyeClosing,eyeOpenness,yaw,pitch,roll\n"
        let lines = sources.flatMap { source in
            source.moments.map { moment in
                let values =
                    moment.sample.map { sample in
                        [
                            sample.mouthOpening, sample.smile, sample.browRaise, sample.eyeClosing, sample.eyeOpenness,
                            sample.yaw, sample.pitch, sample.roll,
                        ].map { "\(DecimalText.rounded(Double($0), digits: 4))" }
                    } ?? Array(repeating: "", count: 8)
                return CSV.quoted(source.name) + ",\(DecimalText.rounded(moment.seconds, digits: 4)),"
                    + values.joined(separator: ",") + "\n"
            }
        }
        try AtomicFile.write(head + lines.joined(), to: path, replacing: true)
    }

    private static func json(_ recognized: [GestureEvaluation.Recognized]) -> JSONValue {
        .array(
            recognized.map {
                .object([
                    "gesture": .string($0.gesture.rawValue), "seconds": .number(DecimalText.rounded($0.seconds)),
                ])
            })
    }

    private static func json(_ results: [(clip: String, result: GestureEvaluation)]) -> JSONValue {
        .array(
            results.map { clip, result in
                .object([
                    "clip": .string(clip), "frames": .integer(result.moments.count),
                    "framesWithFaces": .integer(result.framesWithFaces),
                    "seconds": .number(DecimalText.rounded(result.seconds)),
                    "microseconds": .number(DecimalText.rounded(result.duration.median)),
                    "gestures": json(result.recognized),
                ])
            })
    }

    private static func text(_ results: [(clip: String, result: GestureEvaluation)]) -> String {
        results.map { clip, result in
            let found = result.recognized.map {
                "  \(DecimalText.fixed($0.seconds, digits: 2)) s: \($0.gesture.title)\n"
            }
            return """
                \(clip): \(DecimalText.fixed(result.seconds, digits: 1)) s, \(result.moments.count) frames, \
                \(result.framesWithFaces) with a face, \(result.recognized.count) gestures; \
                \(DecimalText.fixed(result.duration.median, digits: 1)) µs a frame
                \(found.joined())
                """
        }.joined()
    }

    private static func json(_ results: [DrawnGestureEvaluation]) -> JSONValue {
        .array(
            results.map { result in
                .object([
                    "gesture": .string(result.name), "people": .integer(result.trials.count),
                    "found": .integer(result.found), "others": .integer(result.others),
                    "trials": .array(
                        result.trials.map { trial in
                            .object([
                                "framesPerSecond": .number(trial.framesPerSecond),
                                "faceWidth": .number(Double(trial.faceWidth)),
                                "gestures": json(trial.recognized),
                            ])
                        }),
                ])
            })
    }

    private static func text(_ results: [DrawnGestureEvaluation]) -> String {
        var table = TextTable(
            [
                .left("gesture", width: 12), .right("people", width: 8), .right("found", width: 7),
                .right("others", width: 8),
            ],
            separator: "")
        table.rows = results.map { result in
            [
                result.name, "\(result.trials.count)", result.gesture == nil ? "–" : "\(result.found)",
                "\(result.others)",
            ]
        }
        let misses = results.flatMap { result in
            result.trials.compactMap { trial -> String? in
                let seen = trial.recognized.map(\.gesture)
                guard seen != [result.gesture].compactMap({ $0 }) else { return nil }
                let names = seen.isEmpty ? "nothing" : seen.map(\.rawValue).joined(separator: ", ")
                return "  \(result.name), \(DecimalText.fixed(trial.framesPerSecond, digits: 0)) frames/s, "
                    + "\(DecimalText.fixed(Double(trial.faceWidth), digits: 0)) pixels: \(names)\n"
            }
        }
        return table.text + misses.joined()
    }
}
