import CBauta
import CFrameFormats
import Compositing
import FaceGeometry
import Files
import Gaze
import Glibc
import Installation
import MaskAuthoring
import Masks
import Synchronization
import Threads

/// What `bauta_engine` stands for: masks one stream of pictures. One thread at a time uses it.
final class Engine {
    private let data: DataFolder
    private let masks: WearableMasks
    private let stopsReading = StopSignal()
    private let work = BackgroundWork()
    private let worker: FrameWorker
    private var options = EngineOptions()
    /// How the next picture is masked, without `options`.
    private var look: FrameLook
    private var models = Loading<EngineOptions.Analysis>()
    private var mask = Loading<FilePath>()
    /// The files of the mask that is worn, if it was packed.
    private var package: UnpackedMask?
    /// The result that was returned last.
    private var shown: FrameResult?
    /// Memory that nobody else uses.
    private var spare: HeldPicture?
    private var lastNumber = 0
    /// The last picture's time, and the offset that is subtracted from times. Nil: no picture has come since `reset`.
    private var times: (last: Double, origin: Double)?
    /// Installed masks, and the memory of all names that have been given away.
    private var names: [UnsafeMutablePointer<CChar>] = []
    private var allNames: [FilePath: UnsafeMutablePointer<CChar>] = [:]

    /// What is being loaded, or has been.
    private struct Loading<Wish> {
        /// Nil: nothing has been asked for.
        var wish: Wish?
        /// Counts the wishes: only the last one matters.
        var revision = 0
        var isRunning = false
        var failure: EngineError?

        /// - Returns: its number.
        mutating func begin(_ wish: Wish?) -> Int {
            (self.wish, isRunning, failure) = (wish, wish != nil, nil)
            revision += 1
            return revision
        }
    }

    /// The numbers of the last wishes: what has been asked for before need not be loaded.
    private final class Newest: Sendable {
        let mask = Atomic(0)
        let models = Atomic(0)
    }
    private let newest = Newest()

    /// Times are no farther from 0, in seconds: sums and numbers of frames do not overflow.
    private static let latestTime = 1e9

    /// - Throws: `DataFolderError` or `FileError` about the data folder, or `NoThread`.
    init(data: DataFolder) throws {
        let (reference, mesh, pupils) = (try data.referenceFace(), try data.mesh(), SuppliedPupilFinder())
        self.data = data
        masks = WearableMasks(
            loader: data.maskLoader(reference, stop: stopsReading), reference: reference, mesh: mesh, pupils: pupils)
        look = FrameLook()
        worker = try FrameWorker { FramePainter(data: data, reference: reference, mesh: mesh, pupils: pupils) }
    }

    /// Ends the threads and waits for them.
    func close() {
        stopsReading.stop()
        work.stop()
        worker.stop()
    }

    deinit { for name in allNames.values { free(name) } }

    // MARK: Loading

    /// - Parameter name: of an installed mask, or a path; nil: faces are to be seen without a mask.
    func wear(_ name: FilePath?) {
        // Masks that were loaded meanwhile need not be kept.
        work.handBack()
        let revision = mask.begin(name)
        newest.mask.store(revision, ordering: .relaxed)
        look.isOff = name == nil
        guard let name else {
            (look.mask, package) = (nil, nil)
            look.maskRevision += 1
            return
        }
        loadModels()
        work.add { [masks, data, newest] in
            Result {
                guard newest.mask.load(ordering: .relaxed) == revision else { throw CancellationError() }
                return try Self.load(name, masks, data)
            }
        } finish: { [unowned self] result in
            guard revision == mask.revision else { return }
            mask.isRunning = false
            switch result {
            case .success(let loaded):
                (look.mask, package) = (loaded.mask, loaded.package)
                look.maskRevision += 1
            case .failure(let error): mask.failure = EngineError(classifying: error)
            }
        }
    }

    private static func load(
        _ name: FilePath, _ masks: WearableMasks, _ data: DataFolder
    ) throws -> (mask: Mask, package: UnpackedMask?) {
        if name.fileExtension == "bauta", name.exists, !Folder.exists(name) {
            let (mask, package) = try masks.mask(package: name)
            return (mask, package)
        }
        return (try masks.mask(folder: try data.maskFolder(name)), nil)
    }

    /// Loads what faces are found with, unless that has been done.
    private func loadModels() {
        let wanted = options.analysis
        guard models.wish != wanted else { return }
        let revision = models.begin(wanted)
        newest.models.store(revision, ordering: .relaxed)
        // Where faces are to be covered, a picture in which nobody has looked for all of them is not shown.
        if wanted.covers { look.source = nil }
        work.add { [reference = masks.reference, newest] in
            Result {
                guard newest.models.load(ordering: .relaxed) == revision else { throw CancellationError() }
                return try AnalyzerSource(wanted, reference: reference)
            }
        } finish: { [unowned self] result in
            guard revision == models.revision else { return }
            models.isRunning = false
            switch result {
            case .success(let source): look.source = source
            case .failure(let error): models.failure = EngineError(classifying: error)
            }
        }
    }

    /// Begins to load what has not been loaded, and takes what has been.
    /// - Throws: why models or mask cannot be used.
    func status() throws(EngineError) -> bauta_result {
        loadModels()
        work.handBack()
        if let failure = models.failure ?? mask.failure { throw failure }
        return models.isRunning || mask.isRunning ? BAUTA_PENDING : BAUTA_OK
    }

    /// - Parameter text: nil: the default.
    /// - Throws: if there is no such option, or it has no such value.
    func setOption(_ name: String, to text: String?) throws(EngineError) { try options.set(name, to: text) }

    // MARK: Pictures

    /// The next picture comes from another source.
    func reset() {
        look.sourceRevision += 1
        (times, shown) = (nil, nil)
    }

    /// Masks a picture in place.
    /// - Throws: why it could not be masked; what it shows then is what `bauta.h` says.
    func process(_ picture: cframe_picture, at seconds: Double) throws(EngineError) -> bauta_result {
        guard abs(seconds) <= Self.latestTime else {
            hideIfWanted(picture)
            throw .invalid("seconds is \(seconds), and must be a finite number of at most 1e9")
        }
        if let times, seconds < times.last {
            hideIfWanted(picture)
            throw .invalid(
                "seconds is \(seconds), and must not be smaller than that of the picture before, \(times.last)")
        }
        let origin = times?.origin ?? min(0, seconds)
        times = (seconds, origin)
        loadModels()
        work.handBack()
        (look.cover, look.whenLost) = (options.cover, options.whenLost)
        (look.faces, look.occluders, look.opacity) = (options.faces, options.occluders, options.opacity)
        if !options.isBehind { forgetShown() }
        let job: FrameJob
        do {
            lastNumber += 1
            job = FrameJob(number: lastNumber, picture: try held(picture), seconds: seconds - origin, look: look)
        } catch {
            hideIfWanted(picture)
            throw EngineError(classifying: error)
        }
        return options.isBehind ? try show(picture, masking: job) : try finish(job, picture)
    }

    /// Makes a picture grey that has not been masked, where faces must not be seen.
    private func hideIfWanted(_ picture: cframe_picture) {
        if options.cover != nil || options.whenLost == .blur && !look.isOff { picture.hide() }
    }

    private func forgetShown() {
        if let old = shown?.picture { spare = old }
        shown = nil
    }

    /// A copy of a picture.
    private func held(_ picture: cframe_picture) throws -> HeldPicture {
        guard let spare, spare.fits(picture) else { return try HeldPicture(copying: picture) }
        self.spare = nil
        spare.overwrite(with: picture)
        return spare
    }

    private func finish(_ job: FrameJob, _ picture: cframe_picture) throws(EngineError) -> bauta_result {
        guard let result = worker.finish(job) else {
            hideIfWanted(picture)
            throw EngineError(result: BAUTA_FAILED, description: "the engine's thread has ended")
        }
        guard result.picture.fits(picture) else {
            hideIfWanted(picture)
            throw EngineError(result: BAUTA_FAILED, description: "the result has another format than the picture")
        }
        result.picture.copy(to: picture)
        shown = result
        if let failure = result.failure { throw EngineError(classifying: failure) }
        return BAUTA_OK
    }

    /// Has a picture masked behind, and shows the one that was finished last.
    private func show(_ picture: cframe_picture, masking job: FrameJob) throws(EngineError) -> bauta_result {
        // Never the given one, however quickly it is masked: the delay stays the same.
        let finished = worker.takeFinished()
        if let finished {
            forgetShown()
            shown = finished
        }
        if let old = worker.begin(job) { spare = old.picture }
        guard let shown, shown.picture.fits(picture), shown.look.hides(asMuchAs: look) else {
            self.shown = nil
            hideIfWanted(picture)
            return BAUTA_PENDING
        }
        shown.picture.copy(to: picture)
        guard finished != nil else { return BAUTA_PENDING }
        if let failure = shown.failure { throw EngineError(classifying: failure) }
        return BAUTA_OK
    }

    /// Those of the picture that was returned last, largest first.
    var faces: [FaceInstance] { shown?.faces ?? [] }

    // MARK: Names

    /// The name of an installed mask; nil past the last.
    func maskName(_ index: Int) -> UnsafePointer<CChar>? {
        if index == 0 {
            names = data.installedMasks().compactMap { installed in
                let name = installed.folder.name
                if let known = allNames[name] { return known }
                let copy = name.withCString { strdup($0) }
                allNames[name] = copy
                return copy
            }
        }
        return names.indices.contains(index) ? UnsafePointer(names[index]) : nil
    }
}
