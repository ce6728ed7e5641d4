import CommandLine
import Files
import ImageFiles
import Machine
import Masking
import Synchronization

extension PhotoCommand {
    /// The results, once there can be any.
    private final class StartedRun: Sendable {
        let results = Mutex<PhotoResults?>(nil)

        func abandon() {
            if let results = results.withLock({ $0 }) { return results.abandon() }
            Console.failure("interrupted")
        }
    }

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        if arguments[mergeReports] { return try merge(arguments) }
        let started = StartedRun()
        Interrupt.endProcess { started.abandon() }
        var options = try PhotoOptions(arguments)
        options.memory = arguments[memory]
        let output = arguments[output]
        if options.format == nil, PhotoJobs.isFile(output) { options.format = PictureFormat(path: output) }
        if arguments[contactSheet] != nil {
            options.thumbnails = options.anonymises && !arguments[showOriginals] ? .result : .both
        } else if arguments[showOriginals] {
            throw UsageError("--show-originals has no effect without --contact-sheet.", arguments.commandPath)
        }
        let work = try work(arguments, options, output: output)
        let jobs = work.jobs
        let reportPath = arguments[Self.report].map { work.part?.shard.part(of: $0) ?? $0 }
        try checkReport(reportPath, arguments, jobs)
        let summary = PhotoSummary(options, report: reportPath)
        let report = try reportPath.map {
            // A shard that is repeated makes its own part again.
            try PhotoReport(
                path: $0, replacing: options.existing == .replace || work.part != nil, isAnonymous: options.anonymises)
        }
        if let part = work.part { try report?.append(part.json) }
        let sheet = try arguments[contactSheet].map { path in
            try ContactSheet(
                path: work.part?.shard.part(of: path) ?? path,
                replacing: options.existing == .replace || work.part != nil, success: summary.success,
                notice: sheetNotice(options))
        }
        let data = try DataFolder.find()
        let journal = try journal(options, data, output: output, part: work.part?.shard.name)
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        let style: ProgressDisplay.Style =
            arguments[MaskingOptions.quiet]
            ? .quiet : Console.errorIsTerminal ? .bar : work.part == nil ? .lines : .log
        let display = ProgressDisplay(style: style, total: jobs.count, summary: summary)
        display.begin()
        let results = PhotoResults(
            jobs: jobs, display: display, report: report, sheet: sheet, listsRest: work.part != nil)
        started.results.withLock { $0 = results }
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: { Interrupt.isRequested }) {
            try results.note($0, $1)
        }
        workers.start(threads: arguments[Self.jobs] ?? MachineProcessors.count)
        // The studio's threads must have ended before the process exits.
        return try withExtendedLifetime(studio) {
            let end = Result { try workers.join() }
            if let problem = journal?.problem {
                Console.warning("\(problem); a later run will not know what is done")
            }
            var failure: (any Error)?
            if case .failure(let error) = end { failure = error }
            return try results.finish(failure)
        }
    }

    private static func sheetNotice(_ options: PhotoOptions) -> String? {
        switch options.thumbnails {
        case .both where options.anonymises:
            "The pictures on the left show bare faces. Keep this folder to yourself, or delete it."
        case .result: "Faces that were not found are bare. Look at every picture before you give it to anybody."
        default: nil
        }
    }

    /// Makes sure that the report overwrites no input and no result.
    private static func checkReport(
        _ path: FilePath?, _ arguments: ParsedArguments, _ jobs: [PhotoJob]
    ) throws(UsageError) {
        guard let path, path != "-" else { return }
        if path.exists { for job in jobs { InputFiles.protect(job.input) } }
        let place = FilePlace(path)
        if let job = jobs.first(where: { $0.obstacle == nil && FilePlace($0.output) == place }) {
            throw UsageError(
                "The report and the result of \(job.input) would be the same file, \(path).", arguments.commandPath)
        }
    }

    /// Nil if the result is a file of its own.
    private static func journal(
        _ options: PhotoOptions, _ data: DataFolder, output: FilePath, part: String?
    ) throws -> PhotoJournal? {
        if PhotoJobs.isFile(output) { return nil }
        let mask = try data.maskFolder(options.mask)
        return PhotoJournal(folder: output, settings: try PhotoSettings(options, mask: mask), part: part)
    }

    private static func merge(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let report = arguments[report] else {
            throw UsageError("--merge-reports needs --report with the path of the whole report.", arguments.commandPath)
        }
        return try ReportMerge.run(
            arguments.paths, report: report,
            replacing: arguments[PhotoOptionKeys.force] || arguments[PhotoOptionKeys.existing] == .replace)
    }
}
