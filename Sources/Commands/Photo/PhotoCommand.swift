import CommandLine
import Files
import Glibc
import ImageFiles
import Masking
import Synchronization
import Threads

/// `bauta photo`: masks on photographs.
enum PhotoCommand {
    private static let output = Option<FilePath>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "The folder for the results; for a single photograph also a file.")
    private static let recursive = Flag("recursive", letter: "r", help: "Search folders with all their sub-folders.")
    private static let report = Option<FilePath?>(
        "report", value: "file", help: "Write one line of JSON per photograph; - is standard output.")
    private static let jobs = Option<Int?>(
        "jobs", letter: "j", value: "count", in: 1...256, defaultText: "the number of cores", help: "Parallel jobs.")

    private static let memory = Option<Int?>(
        "memory", value: "size", absent: nil, limits: "default: half of the machine's",
        help: """
            What all photographs that are masked at the same time may take together, like 2G or 500M. One that does not \
            fit beside the others waits; a larger one is refused.
            """
    ) { (text) throws(InvalidValue) in try MemorySize.bytes(text) }

    static let definition = CommandDefinition(
        name: "photo", overview: "Put a mask on every face of photographs.",
        discussion: """
            Reads \(PictureFormat.allCases.map(\.name).joined(separator: ", ")) and still GIF. The results go into a \
            folder under the same names; sub-folders, format, colour profile, EXIF and XMP are kept. An input is never overwritten.
            """,
        arguments: [
            ArgumentDefinition(
                name: "input", help: "Photographs or folders; - reads a list of paths from standard input.",
                repeats: true, takesPaths: true)
        ],
        options: PhotoOptionKeys.maskingOptions + [
            output, recursive, PhotoOptionKeys.format, PhotoOptionKeys.quality, PhotoOptionKeys.faceless,
            PhotoOptionKeys.existing, PhotoOptionKeys.force, report, jobs, memory, MaskingOptions.quiet,
        ],
        examples: [
            "bauta photo portrait.jpg                       # masked/portrait.jpg",
            "bauta photo --mask skull --output skulls *.jpg",
            "bauta photo --recursive --report faces.jsonl Pictures --output Masked",
            "find . -name '*.jpg' -print0 | bauta photo -   # any list of paths",
            "bauta photo --no-mask --draw mesh,landmarks portrait.jpg -o mesh.png",
        ],
        run: run)

    /// The queue, once there is one.
    private final class StartedQueue: Sendable {
        let queue = Mutex<PhotoQueue?>(nil)

        func abandon() {
            if let queue = queue.withLock({ $0 }) { return queue.abandon() }
            Console.error("bauta: interrupted\n")
        }
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let started = StartedQueue()
        Interrupt.endProcess { started.abandon() }
        var options = try PhotoOptions(arguments)
        options.memory = arguments[memory]
        let output = arguments[output]
        if options.format == nil, PhotoJobs.isFile(output) { options.format = PictureFormat(path: output) }
        let jobs = try jobs(arguments, options, output: output)
        if let path = arguments[report], path != "-" {
            if path.exists { for job in jobs { InputFiles.protect(job.input) } }
            let place = FilePlace(path)
            if let job = jobs.first(where: { $0.obstacle == nil && FilePlace($0.output) == place }) {
                throw UsageError(
                    "The report and the result of \(job.input) would be the same file, \(path).", arguments.commandPath)
            }
        }
        let report = try arguments[report].map {
            try PhotoReport(path: $0, replacing: options.existing == .replace)
        }
        let data = try DataFolder.find()
        let journal = try journal(options, data, output: output)
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        let style: ProgressDisplay.Style =
            arguments[MaskingOptions.quiet] ? .quiet : Console.errorIsTerminal ? .bar : .lines
        let display = ProgressDisplay(style: style, total: jobs.count, options: options, report: arguments[Self.report])
        display.begin()
        let queue = PhotoQueue(jobs: jobs, display: display, report: report)
        started.queue.withLock { $0 = queue }
        let workers = arguments[Self.jobs] ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let handles = (0..<min(workers, jobs.count)).map { _ in
            DedicatedThread.start { [options] in queue.work(studio: studio, options: options) }
        }
        // The studio's threads must have ended before the process exits.
        return try withExtendedLifetime(studio) {
            for handle in handles { handle.join() }
            if let problem = journal?.problem {
                Console.error("bauta: \(problem); a later run will not know what is done\n")
            }
            return try queue.finish()
        }
    }

    /// Nil if the result is a file of its own.
    private static func journal(
        _ options: PhotoOptions, _ data: DataFolder, output: FilePath
    ) throws -> PhotoJournal? {
        if PhotoJobs.isFile(output) { return nil }
        let mask = try data.maskFolder(options.mask)
        return PhotoJournal(folder: output, settings: try PhotoSettings(options, mask: mask))
    }

    private static func jobs(
        _ arguments: ParsedArguments, _ options: PhotoOptions, output: FilePath
    ) throws -> [PhotoJob] {
        if !PhotoJobs.isFile(output), PictureFormat.isPictureName(output), !output.endsWithSlash, !Folder.exists(output)
        {
            throw CommandFailure(
                .usage,
                "\(output): results are \(PictureFormat.list()); name a file that ends so (.jpg, .png), or a folder "
                    + "(\(output)/)")
        }
        if !PhotoJobs.isFile(output), output.exists, !Folder.exists(output) {
            throw CommandFailure(
                .cannotCreate,
                "\(output): is a file, where a folder is needed; or name a file that ends in .jpg or .png")
        }
        if arguments.paths.contains("") { throw UsageError("'': the path is empty.", arguments.commandPath) }
        let inputs = arguments.paths.flatMap { $0 == "-" ? InputList.read() : [$0] }
        let jobs = try PhotoJobs(recursive: arguments[recursive], format: options.format, output: output)
            .jobs(for: inputs)
        guard !jobs.isEmpty else {
            let place =
                inputs.isEmpty
                ? "standard input, which names no file" : inputs.map(\.description).joined(separator: ", ")
            throw CommandFailure(.noInput, "there is nothing to mask in \(place)")
        }
        return jobs
    }
}
