import Arguments
import Capture
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import Installation
import JSON
import LiveWindow
import Pixels

/// `bauta capture`: pictures of a face that take themselves.
enum CaptureCommand {
    private enum Format: String, CaseIterable, Sendable { case jpeg, png }

    private static let output = Option<FilePath>(
        "output", letter: "o", value: "folder", default: ".", defaultText: "the current folder",
        help: "The folder for the pictures."
    ).takes(.folder).details(
        "The folder for the pictures. A missing folder is created; pictures in it are never replaced.")
    private static let count = Option<Int?>(
        "count", value: "pictures", in: 1...10_000, defaultText: "1, or 4 with --booth",
        help: "How many pictures to take.")
    private static let booth = Flag(
        "booth", help: "Also make a strip of the pictures, with --mask."
    ).details("A photo booth: the pictures also become a strip, strip-0001.png, and --mask masks them.")
    private static let masks = Option<[String]>(
        "mask", value: "name|folder,...", absent: [], limits: "default: none",
        help: "With --booth: masks to use in turn."
    ) { (text) throws(InvalidValue) in
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else { throw InvalidValue("must be names separated by commas") }
        return names
    }.takes(.mask)
    static let conditions = Option<[CaptureCondition]>(
        "when", value: "condition,...", absent: CaptureCondition.standard,
        limits: "default: \(CaptureCondition.standard.map(\.rawValue).joined(separator: ","))",
        help: "Conditions for a picture."
    ) { (text) throws(InvalidValue) in
        var conditions: [CaptureCondition] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let condition = CaptureCondition(rawValue: String(word)) else {
                let all = CaptureCondition.allCases.map(\.rawValue).joined(separator: ", ")
                throw InvalidValue("must be one or more of \(all), separated by commas")
            }
            conditions.append(condition)
        }
        return conditions
    }.details("Conditions for a picture: \(CaptureCondition.allCases.map(\.rawValue).joined(separator: ", ")).")
    private static let countdown = Option<Double>(
        "countdown", value: "seconds", absent: 2, limits: "0 to 30; default: 2",
        help: "How long all conditions must hold before a picture."
    ) { (text) throws(InvalidValue) in try seconds(text) }.details(
        "How long all conditions of --when must hold before a picture. Motion starts the countdown again.")
    private static let interval = Option<Double>(
        "interval", value: "seconds", absent: 1, limits: "0 to 30; default: 1",
        help: "The pause after a picture."
    ) { (text) throws(InvalidValue) in try seconds(text) }
    private static let format = Option<Format>("format", default: .jpeg, help: "The format of the pictures.")
    /// More pictures make no strip that anybody would print.
    private static let mostInStrip = 20
    private static let reports = ReportOptions("a line of JSON for each picture", details: "See docs/user/capture.md.")
    private static let replacesReport = Flag(
        "force", letter: "f", help: "Replace an existing report. Pictures are never replaced.")
    private static let headless = Flag(
        "headless", help: "Open no window."
    ).details("Open no window; unmet conditions are written to standard error.")

    private static func seconds(_ text: String) throws(InvalidValue) -> Double {
        guard let seconds = Double(text), (0...30).contains(seconds) else {
            throw InvalidValue("must be a number of seconds from 0 to 30")
        }
        return seconds
    }

    static let definition = CommandDefinition(
        name: "capture", overview: "Take portraits automatically when all conditions are met.",
        discussion: """
            Waits until all conditions of --when are met, and shows the unmet ones in the window or on standard \
            error. Then a countdown starts; motion cancels it. Pictures come straight from the camera: not mirrored, \
            and without masks except with --booth and --mask. Their names are picture-0001.jpg and so on. Esc or Q \
            ends the command.
            """,
        arguments: [SourceArgument.optional],
        groups: [
            .input(LiveOptions.size),
            .output(output, format, count, conditions, countdown, interval, headless),
            .mask(booth, masks), .integration(reports.file, reports.json, replacesReport),
            OptionGroup(
                "Advanced",
                [
                    LiveOptions.controls, MaskingOptions.smallestFace, LiveOptions.rate, MaskingOptions.renderer,
                    LiveOptions.scale,
                ], describedIn: "'bauta help capture'"),
            ModelOptions.group,
        ],
        examples: [
            "bauta capture --output Portraits                # one picture",
            "bauta capture --count 20 --when still,frontal,sharp,smiling --output Ada",
            "bauta capture --booth --mask wolf,owl,tiger,skull  # four pictures, a strip",
            "bauta capture interview.mp4 --headless --count 5 --output Stills",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        var settings = CaptureSettings()
        settings.source = try SourceArgument.optionsWithoutPictures(arguments)
        // Without a window nobody watches at the clip's own speed.
        settings.source.isPaced = !arguments[headless]
        settings.models = FaceModels(arguments)
        settings.smallestFace = arguments[MaskingOptions.smallestFace]
        settings.conditions = arguments[conditions]
        let wanted = arguments[count] ?? (arguments[booth] ? 4 : 1)
        settings.count = wanted
        settings.masks = arguments[masks]
        settings.renderer = arguments[MaskingOptions.renderer]
        if !arguments[booth] {
            if arguments.has(masks) { throw arguments.invalid(masks, "needs --booth") }
            if arguments.has(MaskingOptions.renderer) {
                throw arguments.invalid(MaskingOptions.renderer, "needs --booth")
            }
        } else if wanted > mostInStrip {
            throw arguments.invalid(count, "can be at most \(mostInStrip) with --booth")
        }
        settings.countdown = arguments[countdown]
        settings.interval = arguments[interval]
        settings.isHeadless = arguments[headless]
        settings.scale = arguments[LiveOptions.scale]
        let session = try CaptureSession(settings, data: try DataFolder.find()) { Console.error("bauta: \($0)\n") }
        let report = try reports.place(arguments).map {
            try GrowingFile($0, replacing: arguments[replacesReport])
        }
        try Folder.create(arguments[output])
        let files = CaptureFiles(
            folder: arguments[output], format: arguments[format] == .png ? .png : .jpeg,
            stripCount: arguments[booth] ? wanted : nil, report: report)
        let (taken, missing): (Int, [String])
        do {
            (taken, missing) = try session.run(isCancelled: { Interrupt.isRequested }) { pixels, seconds, result in
                try files.write(pixels, at: seconds, result)
                return true
            }
            try files.finish()
        } catch is GrowingFile.ClosedPipe {
            // The reader of the report has what it wanted (`bauta capture --report - | head`).
            return .success
        }
        if taken < wanted, !Interrupt.isRequested {
            let reason = missing.first.map { ": \($0)" } ?? ""
            Console.error("bauta: \(taken) of \(wanted) pictures were taken\(reason)\n")
            return taken == 0 ? .dataError : .someFailed
        }
        return .success
    }
}
