import Arguments
import Files
import ImageFiles
import Installation
import Machine
import PhotoRecords
import PhotographWindow
import Photographs
import PictureMasking
import Pixels
import Synchronization

/// `bauta photo --window`: the mask is chosen in a window, as from the desktop.
enum PhotoWindow {
    static let flag = Flag("window", help: "Choose the mask in a window.").details(
        """
        Choose masks in a window, which shows each photograph with them. The results go into a new folder beside the \
        photographs, such as "Holiday masked". Photographs and folders can be dropped on the window.
        """)

    /// Those that the window has no use for.
    private static let refused: [any CommandOption] =
        [
            PhotoCommand.output, PhotoCommand.reports.file, PhotoCommand.reports.json, PhotoCommand.contactSheet,
            PhotoCommand.showOriginals, PhotoCommand.manifest, PhotoCommand.mergeReports, PhotoCommand.shard,
            PhotoOptionKeys.existing, PhotoOptionKeys.force, PhotoOptionKeys.layers, PhotoOptionKeys.anonymise,
            PhotoOptionKeys.faceless, PhotoOptionKeys.shuffle, PhotoOptionKeys.drawsNoMask, MaskingOptions.background,
            MaskingOptions.masksAlone,
        ] + PeopleOptions.all

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        for option in refused where arguments.has(option) {
            throw UsageError("--\(option.definition.name) cannot be used with --window.", arguments.commandPath)
        }
        Interrupt.install()
        var options = try PhotoOptions(arguments)
        try PhotoCommand.chooseBackground(&options, arguments)
        let data = try DataFolder.find()
        let folders = try options.masks.map { try data.maskFolder($0) }
        let finder = PhotographFinder(recursive: arguments[PhotoCommand.recursive], format: options.result.format)
        let maker = PhotographMaker(
            options: options, data: data, finder: finder, memory: arguments[PhotoCommand.memory],
            threads: arguments[PhotoCommand.jobs] ?? MachineProcessors.count)
        let session = try PhotographSession(arguments.paths, masks: folders, tasks: maker.tasks, data: data)
        guard let results = session.run(isCancelled: { Interrupt.isRequested }) else { return .success }
        Console.output("\(results.folder): \(results.text)\n")
        return results.failed > 0 ? .someFailed : .success
    }
}

/// Does what the window asks for.
private struct PhotographMaker: Sendable {
    let options: PhotoOptions
    let data: DataFolder
    let finder: PhotographFinder
    let memory: Int?
    let threads: Int

    /// Of the longer side of a preview, in pixels.
    private static let previewSide = 1280

    var tasks: PhotographTasks {
        PhotographTasks(
            find: { inputs, opened in Self.result { try finder.find(inputs, besides: opened) } },
            show: { photograph in Self.result { ShownPhotograph(try Self.reduced(photograph).pixels.copy()) } },
            preview: { subject in Self.result { try preview(subject) } },
            mask: { run, progress in Self.result { try makeAll(run, progress) } })
    }

    private static func result<Value>(_ body: () throws -> Value) -> Result<Value, PhotographObstacle> {
        do {
            return .success(try body())
        } catch {
            return .failure(PhotographObstacle(error))
        }
    }

    private static func reduced(_ path: FilePath) throws -> Picture {
        InputFiles.protect(path)
        var picture = try PictureReader.read(path)
        if picture.pixels.format != .rgba8 { picture.pixels = try picture.pixels.withEightBits() }
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let scale = min(1, Double(previewSide) / Double(max(width, height)))
        guard scale < 1 else { return picture }
        picture.pixels = try picture.pixels.resized(
            width: max(1, Int(scale * Double(width))), height: max(1, Int(scale * Double(height))))
        return picture
    }

    private func preview(_ subject: PreviewSubject) throws -> ShownPhotograph {
        var picture = try Self.reduced(subject.photograph)
        var options = options
        options.masks = subject.masks.map(\.description)
        let notices = Notices()
        options.warn = { notices.add($0) }
        let studio = try PictureStudio(options: options, data: data)
        studio.masks.notices.forEach(notices.add)
        return try withExtendedLifetime(studio) {
            var outcome = PhotoOutcome(input: subject.photograph, output: nil, status: .masked)
            try PictureMasker(studio: studio, options: options).mask(
                &picture, &outcome, inOrder: MaskOrder(options).masks(of: subject.number, named: ""))
            return ShownPhotograph(
                try picture.pixels.copy(), faceCount: outcome.faces.count, notice: notices.text)
        }
    }

    private func makeAll(_ run: PhotographRun, _ progress: PhotographProgress) throws -> PhotographResults {
        // New, so that two windows do not share one.
        let folder = try run.folder ?? Folder.createNew(PhotographFinder.resultFolder(run.inputs))
        try Folder.create(folder)
        defer { Folder.deleteIfEmpty(folder) }
        let jobs = try finder.jobs(run.inputs, into: folder)
        progress.note(total: jobs.count)
        var options = options
        (options.masks, options.memory, options.existing) = (run.masks.map(\.description), memory, .skip)
        let journal = try PhotoJournal(folder: folder, settings: try PhotoSettings(options, masks: run.masks))
        let notices = Notices()
        options.warn = { notices.add($0) }
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        studio.pictures.masks.notices.forEach(notices.add)
        let results = Mutex(PhotographResults(folder: folder))
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: { progress.isStopped }) {
            (outcome, _) in
            results.withLock { $0.note(outcome) }
            progress.noteOne()
        }
        workers.start(threads: threads)
        // The studio's threads must have ended before the process exits.
        _ = try withExtendedLifetime(studio) { try workers.join() }
        return results.withLock { results in
            results.failure = results.failure ?? notices.text
            results.left = jobs.count - progress.done
            Folder.deleteIfEmpty(folder)
            results.hasFolder = Folder.exists(folder)
            return results
        }
    }
}

/// What is left out, told by any thread.
private final class Notices: Sendable {
    private let all = Mutex<[String]>([])

    func add(_ notice: String) { all.withLock { $0.append(notice) } }

    /// Nil: nothing is left out.
    var text: String? { all.withLock { $0.isEmpty ? nil : $0.joined(separator: "\n") } }
}

extension PhotographResults {
    fileprivate mutating func note(_ outcome: PhotoOutcome) {
        switch outcome.status {
        case .masked: masked += 1
        case .noFace: noteFaceless(outcome.input.name.description)
        case .failed:
            failed += 1
            failure = failure ?? outcome.error
        case .ignored: break
        }
    }
}
