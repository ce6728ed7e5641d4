import Arguments
import Backgrounds
import Compositing
import Files
import ImageFiles
import Installation
import Machine
import People
import PhotoRecords
import Photographs
import PictureMasking
import Records
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
        if arguments[PhotoWindow.flag] { return try PhotoWindow.run(arguments) }
        if arguments.paths.isEmpty { throw UsageError("Missing expected argument '<input>'.", arguments.commandPath) }
        Interrupt.install()
        if arguments[mergeReports] { return try merge(arguments) }
        let started = StartedRun()
        Interrupt.endProcess { started.abandon() }
        var options = try PhotoOptions(arguments)
        options.memory = arguments[memory]
        try chooseBackground(&options, arguments)
        options.warn = { Console.warning($0) }
        let output = arguments[output]
        if options.result.format == nil, PhotoJobs.isFile(output) {
            options.result.format = PictureFormat(path: output)
        }
        if options.effects.hasAlpha {
            if options.result.format == .jpeg {
                throw UsageError(
                    "JPEG has no transparency; leave --format out for PNG, or name a result that ends in .png, .webp or .tif.",
                    arguments.commandPath)
            }
            options.result.format = options.result.format ?? .png
        }
        if PhotoJobs.isFile(output) { try checkLayers(arguments, options, output) }
        if arguments[contactSheet] != nil {
            options.thumbnails = options.anonymises && !arguments[showOriginals] ? .result : .both
        } else if arguments[showOriginals] {
            throw UsageError("--show-originals has no effect without --contact-sheet.", arguments.commandPath)
        }
        let (work, reportPath) = try checkedWork(arguments, options, output: output)
        let (jobs, part) = (work.jobs, work.part)
        let data = try DataFolder.find()
        let journal = try journal(options, data, output: output, shard: part?.shard)
        for problem in journal?.takeProblems() ?? [] { Console.warning(problem) }
        let summary = PhotoSummary(
            options, report: reportPath, leftOut: work.leftOut,
            review: journal.map { _ in ReviewCommand.words(for: output) })
        let report = try reportPath.map {
            try PhotoReport(
                path: $0, replacement: replacement(options, jobs, part, journal), isAnonymous: options.anonymises)
        }
        if let part { try report?.append(part.json) }
        let sheet = try arguments[contactSheet].map { path in
            try ContactSheet(
                path: part?.shard.part(of: path) ?? path,
                isForced: options.existing == .replace || part != nil,
                run: options.existing == .skip ? journal.map { runName($0, arguments) } : nil,
                success: summary.success, notice: sheetNotice(options))
        }
        let review = journal == nil ? try ReviewFile(folder: output.parent) : nil
        let studio: PhotoStudio
        do {
            studio = try PhotoStudio(options: options, data: data, journal: journal, review: review)
        } catch let obstacle as WornMasks.Revealing {
            throw UsageError("--mask \(arguments[PhotoOptionKeys.masks]): \(obstacle)", arguments.commandPath)
        }
        if options.drawsMask { for notice in studio.pictures.masks.notices { Console.warning(notice) } }
        let style: ProgressDisplay.Style =
            arguments[MaskingOptions.quiet]
            ? .quiet : Console.errorIsTerminal ? .bar : part == nil ? .lines : .log
        let display = ProgressDisplay(style: style, total: jobs.count, summary: summary)
        display.begin()
        let results = PhotoResults(
            jobs: jobs, display: display, report: report, sheet: sheet, isShard: part != nil)
        started.results.withLock { $0 = results }
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: { Interrupt.isRequested }) {
            try results.note($0, $1)
        }
        workers.start(threads: arguments[Self.jobs] ?? MachineProcessors.count)
        // The studio's threads must have ended before the process exits.
        return try withExtendedLifetime(studio) {
            let end = Result { try workers.join() }
            for problem in journal?.takeProblems() ?? [] { Console.warning(problem) }
            var failure: (any Error)?
            if case .failure(let error) = end { failure = error }
            return try results.finish(failure)
        }
    }

    static func chooseBackground(_ options: inout PhotoOptions, _ arguments: ParsedArguments) throws {
        let choice = try MaskingOptions.checkedBackground(arguments)
        options.effects.make = { [networks = options.models.networks] in try FrameEffects(choice, networks: networks) }
        options.effects.hasAlpha = choice?.isTransparent == true
        options.effects.background =
            switch choice {
            case nil: nil
            case .picture(let path): "\(try Checksum.ofFile(path))"
            case .some(let other): "\(other)"
            }
        if options.effects.hasAlpha, options.isLayered {
            throw UsageError(
                "--layers has no layer for what is taken away: leave out --background transparent and --masks-alone.",
                arguments.commandPath)
        }
    }

    /// A result in one file has layers if its name says so.
    private static func checkLayers(
        _ arguments: ParsedArguments, _ options: PhotoOptions, _ output: FilePath
    ) throws(UsageError) {
        guard PhotoJobs.isLayered(output) != options.isLayered else { return }
        throw UsageError(
            options.isLayered
                ? "With --layers, the result is an OpenRaster file: name it .ora, not \(output)."
                : "\(output): --layers writes OpenRaster files.", arguments.commandPath)
    }

    private static func sheetNotice(_ options: PhotoOptions) -> String? {
        switch options.thumbnails {
        case .both where options.anonymises:
            "The pictures on the left show unmasked faces. Keep this folder to yourself, or delete it."
        case .result: "Faces that were not found are unmasked. Check every picture before you share it."
        default: nil
        }
    }

    /// The photographs, and the path of the report, which overwrites none of them.
    private static func checkedWork(
        _ arguments: ParsedArguments, _ options: PhotoOptions, output: FilePath
    ) throws -> (work: Work, report: FilePath?) {
        let work = try work(arguments, options, output: output)
        let report = try reports.place(arguments).map { work.part?.shard.part(of: $0) ?? $0 }
        try checkReport(report, arguments, work)
        return (work, report)
    }

    /// Makes sure that the report overwrites no input and no result, also of another shard.
    private static func checkReport(_ path: FilePath?, _ arguments: ParsedArguments, _ work: Work) throws {
        guard let path, path != "-" else { return }
        if PhotoJournal.isName(path.name) {
            throw CommandFailure(
                .cannotCreate, "\(path): is reserved for the records of runs; name another file")
        }
        let (place, name) = (FilePlace(path), path.name.bytes)
        // There may be millions, and asking the file system takes long.
        func isSame(_ other: FilePath) -> Bool {
            other.bytes.suffix(name.count).elementsEqual(name) && FilePlace(other) == place
        }
        for job in work.namesakes {
            if isSame(job.input) {
                throw CommandFailure(
                    .cannotCreate, "\(path): is an input, and inputs are never overwritten; name another report")
            }
            if job.obstacle == nil, isSame(job.output) {
                throw UsageError(
                    "The report and the result of \(job.input) would be the same file, \(path).", arguments.commandPath)
            }
        }
        // Under other names; a part of a report replaces nothing but such a part.
        if work.part == nil, path.exists { for job in work.jobs { InputFiles.protect(job.input) } }
    }

    /// The reports that a report may replace. The report of an earlier run, if all photographs in it are among those of
    /// this one, and were done with its settings.
    private static func replacement(
        _ options: PhotoOptions, _ jobs: [PhotoJob], _ part: PhotoReportPart?, _ journal: PhotoJournal?
    ) -> Replacement {
        guard options.existing == .skip, let journal else {
            return .ofReport(part: part, isForced: options.existing == .replace, nil)
        }
        let places = Mutex<[UInt64: Int]?>(nil)
        return .ofReport(part: part, isForced: false) { line in
            let place = places.withLock { places in
                let known = places ?? Dictionary(jobs.indices.map { (jobs[$0].input.checksum, $0) }) { $1 }
                places = known
                return known[line.photograph.checksum]
            }
            guard let place else { return "is about \(line.photograph), which is not among these photographs" }
            let wasMade = line.status == .masked || line.status == .noFace
            return wasMade && !journal.isOfSameSettings(jobs[place])
                ? "is about \(line.photograph), whose latest result has other settings" : nil
        }
    }

    /// The same for runs that go on with one another.
    private static func runName(_ journal: PhotoJournal, _ arguments: ParsedArguments) -> String {
        let paths = [FilePath(journal.settingsName), arguments[output]] + arguments.paths
        return String(Checksum.of(paths.map(\.checksum)), radix: 16)
    }

    /// Nil if the result is a file of its own.
    /// - Throws: `CommandFailure` if another process does the same shard.
    private static func journal(
        _ options: PhotoOptions, _ data: DataFolder, output: FilePath, shard: PhotoShard?
    ) throws -> PhotoJournal? {
        if PhotoJobs.isFile(output) { return nil }
        let masks = try options.masks.map { try data.maskFolder($0) }
        do {
            return try PhotoJournal(
                folder: output, settings: try PhotoSettings(options, masks: masks), part: shard?.name)
        } catch is PhotoJournal.Held {
            let name = shard.map { "\($0.number)/\($0.count)" } ?? ""
            throw CommandFailure(
                .busy,
                "another process is working on shard \(name) of \(output); after it ends, rerun the command to "
                    + "resume")
        }
    }

    private static func merge(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let report = try reports.place(arguments) else {
            throw UsageError("--merge-reports needs --report with the path of the whole report.", arguments.commandPath)
        }
        return try ReportMerge.run(
            arguments.paths, report: report,
            isForced: arguments[PhotoOptionKeys.force] || arguments[PhotoOptionKeys.existing] == .replace)
    }
}
