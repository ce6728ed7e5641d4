import Arguments
import Compositing
import FaceGeometry
import Files
import Glibc
import ImageFiles
import Installation
import LiveWindow
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
        Choose masks in a window, which shows each photograph with them. The results go into a folder beside the \
        photographs, such as "Holiday masked", unless another one is chosen. Photographs and folders can be dropped on the \
        window.
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
        // Those of the last session.
        let last = arguments.has(PhotoOptionKeys.masks) ? [] : LastFolder(.photographMask).all
        let folders = try last.isEmpty ? options.masks.map { try data.maskFolder($0) } : last
        let finder = PhotographFinder(recursive: true, format: options.result.format)
        let maker = PhotographMaker(
            options: options, data: data, finder: finder, memory: arguments[PhotoCommand.memory],
            threads: arguments[PhotoCommand.jobs] ?? MachineProcessors.count,
            networks: NetworkFetch(data, networks: options.models.networks))
        let session = try PhotographSession(arguments.paths, masks: folders, tasks: maker.tasks, data: data)
        let outcome = session.run(isCancelled: { Interrupt.isRequested })
        // Also what was only tried on: that is what was seen last.
        if let masks = outcome.masks { LastFolder(.photographMask).note(all: masks) }
        var code = ExitCode.success
        if let results = outcome.results {
            Console.output("\(results.folder): \(results.text)\n")
            if results.failed > 0 { code = .someFailed }
        }
        guard outcome.isAbandoned else { return code }
        // Threads that decode or mask a large photograph would be waited for, and so would those of the session.
        withExtendedLifetime(session) { () -> Never in
            if let folder = outcome.results?.folder { Folder.deleteIfEmpty(folder) }
            _exit(Console.finish(code).rawValue)
        }
    }
}

/// Does what the window asks for.
package struct PhotographMaker: Sendable {
    private let options: PhotoOptions
    private let data: DataFolder
    private let finder: PhotographFinder
    private let memory: Int?
    private let threads: Int
    private let networks: NetworkFetch
    private let session = SessionResults()
    private let source: PreviewSource

    /// The longer side of a preview, in pixels; more for who looks at it closely.
    private static let (previewSide, closeSide) = (1280, 4096)
    /// The width of the narrowest faces that detectors find, in pixels.
    private static let smallestSeen = 6
    private static let facelessPreviewNotice =
        "No face was found in the preview. The whole photograph is searched for small ones when its result is made."

    /// - Parameter memory: the limit, in bytes; nil: half of the machine's.
    package init(
        options: PhotoOptions, data: DataFolder, finder: PhotographFinder, memory: Int?, threads: Int,
        networks: NetworkFetch
    ) {
        (self.options, self.data, self.finder) = (options, data, finder)
        (self.memory, self.threads, self.networks) = (memory, threads, networks)
        source = PreviewSource(closeSide: Self.closeSide, networks: options.models.networks)
    }

    package var tasks: PhotographTasks {
        PhotographTasks(
            find: { inputs, opened in Self.result { try finder.find(inputs, besides: opened) } },
            show: { photograph, turn, isClose in
                Self.result {
                    InputFiles.protect(photograph)
                    return ShownPhotograph(
                        try source.original(of: photograph, turn, longestSide: Self.side(isClose: isClose)))
                }
            },
            preview: { subject in Self.result { try preview(subject) } },
            showResult: { run, folder, photograph in
                Self.result { try compared(photograph, run, in: folder) }
            },
            mask: { run, shown, progress in
                LastFolder(.photographMask).note(all: run.masks)
                return Self.result { try makeAll(run, shown, progress) }
            }, resultFolder: resultFolder, findsProfiles: { options.models.findsProfiles }, networks: networks)
    }

    private static func result<Value>(_ body: () throws -> Value) -> Result<Value, PhotographObstacle> {
        do {
            return .success(try body())
        } catch {
            return .failure(PhotographObstacle(error))
        }
    }

    private static func side(isClose: Bool) -> Int { isClose ? closeSide : previewSide }

    private func preview(_ subject: PreviewSubject) throws -> ShownPhotograph {
        InputFiles.protect(subject.photograph)
        var options = try options(covering: subject.cover, masks: subject.masks)
        let side = Self.side(isClose: subject.isClose)
        // Faces that are to wear masks are looked for in the whole photograph: who wears which depends on all of them. Looking
        // for every face would take too long there.
        let scale = options.anonymises ? try source.scale(of: subject.photograph, subject.turn, to: side) : 1
        let isReduced = scale < 1
        if isReduced, case .pixels(let pixels)? = options.analysis.smallestFace {
            let smallest = max(Self.smallestSeen, Int(scale * Double(pixels)))
            options.analysis.smallestFace = .pixels(min(pixels, smallest))
        }
        let notices = Notices()
        options.warn = { notices.add($0) }
        let studio = try PictureStudio(options: options, data: data)
        studio.masks.notices.forEach(notices.add)
        return try withExtendedLifetime(studio) {
            var outcome = PhotoOutcome(input: subject.photograph, output: nil, status: .masked)
            let order = MaskOrder(options).masks(of: subject.number, named: "")
            let masker = try PictureMasker(studio: studio, options: options)
            var frame = try source.frame(
                of: subject.photograph, subject.turn, longestSide: side, isSearchedReduced: options.anonymises, masker)
            try masker.mask(&frame, &outcome, inOrder: order, wearing: subject.wearing)
            let hasFaces = !outcome.faces.isEmpty || !outcome.unsureFaces.isEmpty
            let faceless = isReduced ? Self.facelessPreviewNotice : options.facelessNotice
            let notice = hasFaces ? notices.text : faceless
            let size = (width: frame.pixels.width, height: frame.pixels.height)
            return ShownPhotograph(
                frame.reusedPixels(), notice: notice,
                faces: options.anonymises
                    ? ShownFaces() : Self.shown(outcome.faces.map(\.box), subject, order, in: size))
        }
    }

    /// Faces from left to right, with their masks.
    private static func shown(
        _ boxes: [FaceBox], _ subject: PreviewSubject, _ order: [Int], in size: (width: Int, height: Int)
    ) -> ShownFaces {
        let worn = MaskPlaces(order: order, chosen: subject.wearing, in: size).masks(of: boxes)
        let usual = MaskPlaces(order: order, in: size).masks(of: boxes)
        let faces = MaskPlaces.fromLeft(boxes).map { index in
            ShownFace(
                box: boxes[index], mask: worn[index].map { subject.masks[$0] }, usual: subject.masks[usual[index] ?? 0])
        }
        return ShownFaces(faces, masks: subject.masks, in: size)
    }

    /// A photograph and its result, both with as many pixels as somebody needs who looks closely.
    private func compared(
        _ photograph: FilePath, _ run: PhotographRun, in folder: FilePath
    ) throws -> ComparedPhotograph {
        func shown(_ path: FilePath, _ turn: Orientation = .upright) throws -> ShownPhotograph {
            let picture = try PreviewSource.read(path, turn)
            return ShownPhotograph(try picture.pixels.reducedOrCopied(to: Self.closeSide))
        }
        InputFiles.protect(photograph)
        let before = try shown(photograph, run.turns[photograph] ?? .upright)
        // A result is no input: the next run may have to replace it.
        let after = Self.result {
            let job = try finder.jobs(run.inputs, into: folder).first { $0.input == photograph }
            guard let job, job.output.exists else {
                throw PhotographObstacle("\(photograph.name) has no result in \(folder.name)")
            }
            return try shown(job.output)
        }
        return ComparedPhotograph(before: before, after: after)
    }

    private func makeAll(
        _ run: PhotographRun, _ shown: [FilePath], _ progress: PhotographProgress
    ) throws -> PhotographResults {
        let folder = try continuedFolder(run) ?? Folder.createNew(PhotographFinder.resultFolder(run))
        try Folder.create(folder)
        defer { Folder.deleteIfEmpty(folder) }
        let (jobs, vanished) = try jobs(run, shown, into: folder)
        let none = PhotographResults(folder: folder, areCovered: run.cover != nil)
        progress.begin(none, total: jobs.count + vanished.count)
        for photograph in vanished {
            progress.noteOne { $0.noteFailed(photograph.name.description, "\(photograph) is no longer there") }
        }
        var options = try self.options(of: run)
        let journal = try journal(of: run, in: folder)
        let notices = Notices()
        options.warn = { notices.add($0) }
        let studio = try PhotoStudio(options: options, data: data, journal: journal)
        studio.pictures.masks.notices.forEach(notices.add)
        let workers = PhotoWorkers(jobs, studio: studio, options: options, isStopped: { progress.isStopped }) {
            (outcome, _) in
            progress.noteOne { $0.note(outcome) }
        }
        workers.start(threads: threads)
        // The studio's threads must have ended before the process exits.
        _ = try withExtendedLifetime(studio) { try workers.join() }
        var results = progress.results ?? none
        results.failure = results.failure ?? notices.text
        if results.left > 0 {
            results.outdated = jobs.count {
                if case .rechosen? = try? journal.resultState(of: $0) { true } else { false }
            }
        }
        Folder.deleteIfEmpty(folder)
        results.hasFolder = Folder.exists(folder)
        return results
    }

    /// - Parameter masks: their folders; covers need none.
    private func options(covering style: FaceCover.Style?, masks: [FilePath]) throws -> PhotoOptions {
        var options = options
        if let style { try options.coverAll(style) } else { options.masks = masks.map(\.description) }
        return options
    }

    private func options(of run: PhotographRun) throws -> PhotoOptions {
        var options = try options(covering: run.cover, masks: run.masks)
        (options.memory, options.existing) = (memory, .skip)
        return options
    }

    private func journal(of run: PhotographRun, in folder: FilePath) throws -> PhotoJournal {
        let settings = try PhotoSettings(try options(of: run), masks: run.masks)
        return try PhotoJournal(folder: folder, settings: settings, session: session)
    }

    /// The folder of results to go on in: that of the session's last run with this choice, or else the newest one with results
    /// of these photographs by the same settings, or else one that the session has written into. Nil if there is no such
    /// folder, or if a result in it would have to be replaced that is not the session's own.
    private func continuedFolder(_ run: PhotographRun) -> FilePath? {
        if let folder = run.folder { return state(of: folder, run) == nil ? nil : folder }
        let folders = PhotographFinder.resultFolders(run).reversed()
        // Where nothing has to be replaced, nothing is lost.
        return folders.first { state(of: $0, run) == .begun }
            ?? folders.first { session.hasWritten(in: $0) && state(of: $0, run) != nil }
    }

    /// The folder that `makeAll` goes on in or creates, unless something else takes its name meanwhile.
    private func resultFolder(_ run: PhotographRun) -> FilePath {
        continuedFolder(run) ?? Folder.firstFree(PhotographFinder.resultFolder(run))
    }

    /// `begun`: some results are there, and none has to be replaced; `rechosen`: some of the session's own have to be.
    private enum FolderState { case empty, begun, rechosen }

    /// - Returns: nil: a result would be replaced, or stay though it is not what is chosen now.
    private func state(of folder: FilePath, _ run: PhotographRun) -> FolderState? {
        guard let journal = try? journal(of: run, in: folder), let (jobs, _) = try? jobs(run, [], into: folder) else {
            return nil
        }
        var state = FolderState.empty
        for job in jobs {
            switch try? journal.resultState(of: job) {
            // Of those that a review has changed, the run does them again.
            case .done?, .redecided?:
                // Of several masks, the number of a photograph says which one it wears.
                let count = run.masks.count
                guard count <= 1 || journal.lastNumber(of: job).map({ $0 % count }) == job.number % count else {
                    return nil
                }
                if state == .empty { state = .begun }
            case .rechosen?: state = .rechosen
            case .missing?: break
            default: return nil
            }
        }
        return state
    }

    /// The photographs that are there, and those that the window has shown and are not.
    private func jobs(
        _ run: PhotographRun, _ shown: [FilePath], into folder: FilePath
    ) throws -> (jobs: [PhotoJob], vanished: [FilePath]) {
        var jobs = try finder.jobs(run.inputs, into: folder).filter { $0.input.exists }
        for index in jobs.indices {
            jobs[index].turn = run.turns[jobs[index].input] ?? .upright
            jobs[index].wearing = run.wearing[jobs[index].input] ?? []
        }
        let there = Set(jobs.map(\.input))
        return (jobs, shown.filter { !there.contains($0) })
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
        if outcome.isFromEarlierRun { kept += 1 }
        switch outcome.status {
        case .masked: masked += 1
        // Faces without masks were found all the same.
        case .noFace where outcome.findings?.faceCount ?? 0 > 0: noteUnchanged(outcome.input.name.description)
        case .noFace: noteFaceless(outcome.input.name.description)
        case .failed: noteFailed(outcome.input.name.description, outcome.error)
        case .ignored: break
        }
    }
}
