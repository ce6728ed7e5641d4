import CommandLine
import FaceTracking
import Files
import Glibc
import ImageFiles
import MaskRendering
import Masking
import Synchronization
import Threads

/// `bauta photo`: masks on photographs.
enum PhotoCommand {
    static let definition = CommandDefinition(
        name: "photo", overview: "Put a mask on every face of photographs.",
        discussion: """
            Reads JPEG and PNG. Results go into a folder under the same names, with sub-folders, format, colour profile, \
            EXIF and XMP kept. An input is never overwritten.
            """,
        arguments: [
            ArgumentDefinition(
                name: "input", help: "Photographs or folders; - reads a list of paths from standard input.",
                repeats: true)
        ],
        options: maskingOptions + [
            OptionDefinition(
                name: "output", letter: "o", value: "folder|file",
                help: "Where the results go; for a single photograph also a file. (default: masked)"),
            OptionDefinition(name: "recursive", letter: "r", help: "Search folders with all their sub-folders."),
            OptionDefinition(name: "format", value: "jpeg|png", help: "Write that format. (default: as each input)"),
            OptionDefinition(
                name: "quality", value: "1-100", help: "JPEG quality. (default: as each input was compressed, else 92)"),
            OptionDefinition(
                name: "no-face", value: "copy|skip",
                help: "What to do with a photograph that shows no face. (default: copy it unchanged)"),
            OptionDefinition(name: "force", letter: "f", help: "Replace results that are there already."),
            OptionDefinition(
                name: "report", value: "file", help: "Write one line of JSON for each photograph; - is standard output."
            ),
            OptionDefinition(
                name: "jobs", letter: "j", value: "count", help: "Work on so many at once. (default: cores)"),
            OptionDefinition(name: "quiet", letter: "q", help: "Say nothing but errors."),
        ],
        examples: [
            "bauta photo portrait.jpg                       # masked/portrait.jpg",
            "bauta photo --mask skull --output skulls *.jpg",
            "bauta photo --recursive --report faces.jsonl Pictures --output Masked",
            "find . -name '*.jpg' -print0 | bauta photo -   # any list of paths",
            "bauta photo --no-mask --draw mesh,landmarks portrait.jpg -o mesh.png",
        ],
        run: run)

    /// What `photo` and `bench photo` have in common.
    static let maskingOptions = [
        OptionDefinition(
            name: "mask", letter: "m", value: "name|folder", help: "The mask; see 'bauta mask list'. (default: bauta)"),
        OptionDefinition(
            name: "faces", value: "all|largest|count", help: "Which faces: all, the largest, or so many of the largest."
        ),
        OptionDefinition(
            name: "min-face", value: "pixels",
            help: """
                Leave narrower faces alone. Small values search longer, large ones less long. (default: what is found at \
                4 megapixels or twice the size)
                """),
        OptionDefinition(
            name: "turned",
            help: """
                Where there is no face, look for one that lies on its side or head: for photographs whose camera did not \
                note how it was held. Takes up to four times as long there.
                """),
        OptionDefinition(
            name: "draw", value: "what", help: "Draw what was found: landmarks, mesh, boxes (with commas)."),
        OptionDefinition(name: "no-mask", help: "Draw no mask, for instance only --draw."),
        OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format with 68 landmarks."),
    ]

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        var options = try PhotoOptions(arguments)
        let workers = try arguments.integer("jobs", in: 1...256) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let output = arguments["output"] ?? "masked"
        if options.format == nil, PhotoJobs.isFile(output) { options.format = PictureFormat(path: output) }
        if !PhotoJobs.isFile(output), access(output, F_OK) == 0, !Folder.exists(output) {
            throw CommandFailure(
                .cannotCreate,
                "\(output): is a file, where a folder is needed; or name a file that ends in .jpg or .png")
        }
        let inputs = arguments.positional.flatMap { $0 == "-" ? InputList.read() : [$0] }
        let jobs = try PhotoJobs(recursive: arguments.has("recursive"), format: options.format, output: output)
            .jobs(for: inputs)
        guard !jobs.isEmpty else {
            let place = inputs.isEmpty ? "standard input, which names no file" : inputs.joined(separator: ", ")
            throw CommandFailure(.noInput, "there is nothing to mask in \(place)")
        }
        let report = try arguments["report"].map { try PhotoReport(path: $0, replacing: options.replaces) }
        let studio = try PhotoStudio(options: options, data: try DataFolder.find())
        let style: ProgressDisplay.Style =
            arguments.has("quiet") ? .quiet : Console.errorIsTerminal ? .bar : .lines
        let queue = PhotoQueue(jobs: jobs, display: ProgressDisplay(style: style, total: jobs.count), report: report)
        let handles = (0..<min(Int(workers), jobs.count)).map { _ in
            DedicatedThread.start { [options] in queue.work(studio: studio, options: options) }
        }
        // The studio goes last: its threads must have ended before the process exits under them.
        return try withExtendedLifetime(studio) {
            for handle in handles { handle.join() }
            return try queue.finish()
        }
    }
}

/// The jobs, handed out one by one to the workers, and what comes back from them.
private final class PhotoQueue: Sendable {
    private struct State: ~Copyable {
        var next = 0
        var display: ProgressDisplay
        var report: PhotoReport?
        var failure: (any Error)?
    }

    private let jobs: [PhotoJob]
    private let state: Mutex<State>

    init(jobs: [PhotoJob], display: ProgressDisplay, report: PhotoReport?) {
        self.jobs = jobs
        state = Mutex(State(display: display, report: report))
    }

    /// Takes jobs until there are none left, or something concerns them all.
    func work(studio: PhotoStudio, options: PhotoOptions) {
        do {
            let masker = try PhotoMasker(studio: studio, options: options)
            while let job = nextJob() { note(try masker.process(job)) }
        } catch {
            state.withLock { state in
                if state.failure == nil { state.failure = error }
            }
        }
    }

    private func nextJob() -> PhotoJob? {
        if Interrupt.isRequested { return nil }
        return state.withLock { state in
            guard state.failure == nil, state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return jobs[state.next]
        }
    }

    private func note(_ outcome: PhotoOutcome) {
        state.withLock { state in
            state.display.note(outcome)
            do {
                if outcome.status != .ignored { try state.report?.append(outcome) }
            } catch {
                if state.failure == nil { state.failure = error }
            }
        }
    }

    func finish() throws -> ExitCode {
        try state.withLock { state in
            let isInterrupted = Interrupt.isRequested && state.display.counts.done < jobs.count
            state.display.finish(interrupted: isInterrupted)
            try state.report?.finish()
            if let failure = state.failure { throw failure }
            if isInterrupted { return .interrupted }
            return state.display.counts.failed > 0 ? .someFailed : .success
        }
    }
}
