import Files
import Glibc
import Graphics
import ImageFiles
import PhotoRecords
import PictureMasking
import Pixels
import Threads
import Vision

/// Masks photographs one after another: reads a picture file, masks the picture, and writes the result. It belongs to one
/// thread; several share a studio.
package final class PhotoMasker {
    private let owner = OwningThread()
    private let studio: PhotoStudio
    private let options: PhotoOptions
    private let masker: PictureMasker

    /// - Throws: `VisionError` if the face detector cannot be made.
    package init(studio: PhotoStudio, options: PhotoOptions) throws {
        self.studio = studio
        self.options = options
        masker = try PictureMasker(studio: studio.pictures, options: options)
    }

    /// Masks one photograph. The outcome says what is wrong with it.
    /// - Throws: only errors that concern all photographs: no landmark model, no OpenGL.
    package func process(_ job: PhotoJob) throws -> PhotoOutcome {
        owner.check()
        var outcome = PhotoOutcome(input: job.input, output: nil, status: .failed)
        if let obstacle = job.obstacle {
            outcome.fail(job.output.isEmpty ? .unreadable : .clash, "\(job.input): \(obstacle)")
            return outcome
        }
        do {
            try process(job, &outcome)
        } catch let error as PictureError {
            outcome.fail(.init(error.kind), error.kind == .video ? "\(error); bauta video masks it" : "\(error)")
            if error.kind == .notAPicture || error.kind == .video, !job.isNamed, !PictureFormat.isPictureName(job.input)
            {
                outcome.status = .ignored
            }
        } catch let error as FileError {
            let isReadable = job.input.status()?.type == S_IFREG && job.input.isAccessible(R_OK)
            outcome.fail(.init(error, isReadable: isReadable), "\(error)")
        } catch let error as OutOfMemory {
            outcome.fail(.tooLarge, "\(job.input): \(error)")
        } catch let error as VisionError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail(error.kind == .failed ? .other : .tooLarge, "\(job.input): \(error)")
        } catch let error as GraphicsError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail(error.kind == .failed ? .other : .tooLarge, "\(job.input): \(error)")
        }
        if outcome.status == .failed || outcome.status == .ignored { takeBackOther(job) }
        return outcome
    }

    /// Beside results of this choice, one of the choice before would pass for one of them, perhaps with faces that are only
    /// masked among covered ones.
    private func takeBackOther(_ job: PhotoJob) {
        guard let journal = studio.journal, (try? journal.resultState(of: job)) == .rechosen,
            let folder = try? resultFolder(of: job)
        else { return }
        _ = journal.takeBack(job, in: folder)
    }

    /// The memory that a photograph takes at most, in bytes.
    private func memoryNeeded(_ header: PictureHeader) -> Int {
        let thorough = options.analysis.thoroughness != nil
        let needed =
            options.models.recallDetectorMemory(thorough ? .thorough : .doubt)
            + header.memoryNeeded(
                searchesRotated: options.analysis.searchesRotated || thorough, result: options.result.format)
        // Layers, and the pictures that they are made of.
        return options.isLayered ? 4 * needed : needed
    }

    /// The memory that `process` takes at most, in bytes. Nothing of what it refuses is decoded.
    func memoryToSetAside(for job: PhotoJob) -> Int {
        owner.check()
        guard job.obstacle == nil, let needed = PictureHeader(path: job.input).map(memoryNeeded),
            needed <= studio.memory
        else { return 0 }
        return needed
    }

    /// - Throws: `PictureError` if all photographs together may not take as much memory as this one.
    private func checkMemory(_ file: FilePieces) throws(PictureError) {
        guard let header = PictureHeader(file) else { return }
        let needed = memoryNeeded(header)
        guard needed > studio.memory else { return }
        let mebibytes = (needed + (1 << 20) - 1) >> 20
        throw PictureError(
            .outOfMemory, path: file.file.path.description,
            "claims to be \(header.width) × \(header.height) pixels, which needs \(mebibytes) MiB of memory; the limit "
                + "for all photographs together is \(studio.memory >> 20) MiB; --memory \(mebibytes)M allows it")
    }

    private func process(_ job: PhotoJob, _ outcome: inout PhotoOutcome) throws {
        // Before the work; the writer checks again.
        guard let replacing = try mayReplace(job, &outcome) else { return readThumbnails(job, &outcome) }
        var start = ContinuousClock.now
        // Opened once: its size is checked, and its bytes are read, of one file, whatever has its name by then. They are kept
        // until the end: what is copied is what was looked at.
        let file = FilePieces(try RegularFile(job.input))
        try checkMemory(file)
        let bytes = try FileBytes(file.file)
        let input = FileState(file.file, bytes)
        outcome.times.end(.read, since: &start)
        var picture = try PictureReader.read(bytes, path: job.input.description)
        if job.turn != .upright { picture.pixels = try picture.pixels.turned(from: job.turn) }
        outcome.times.end(.decode, since: &start)
        outcome.width = picture.pixels.width
        outcome.height = picture.pixels.height
        // What cannot be made is missing on the contact sheet, and no reason not to mask.
        if options.thumbnails == .both { outcome.thumbnailBefore = try? Thumbnail(of: picture) }
        let decisions = studio.review?.decisions(on: key(job), checksum: input.checksum)
        outcome.review.isOfAnother = decisions == nil && studio.review?.knows(key(job)) == true
        let order = MaskOrder(options).masks(of: job.number, named: key(job))
        let layers = try masker.mask(&picture, &outcome, inOrder: order, wearing: job.wearing, obeying: decisions)

        let format = options.result.format ?? picture.format ?? .png
        if options.anonymises { picture.removeOrigin() }
        let isEmpty = outcome.faces.isEmpty && outcome.unsureFaces.isEmpty && outcome.spared == 0
        let isFaceless = outcome.isAlone || outcome.isBare || isEmpty
        outcome.status = isFaceless ? .noFace : .masked
        // Who has looked at it says that it shows nobody.
        let faceless = isEmpty && outcome.review.isComplete ? .copy : options.faceless
        if isFaceless {
            switch faceless {
            case .copy: outcome.doubt = outcome.review.isComplete ? 0 : 1
            case .skip:
                try checkIsGone(job)
                try studio.journal?.note(
                    job, .noFace, input: input, result: nil, PhotoFindings(outcome), obeying: decisions)
                return
            case .blur:
                try picture.makeUnrecognisable()
                outcome.doubt = 0
            case .fail:
                let reason =
                    outcome.isAlone ? "the mask shows another person's face, and none suits" : "shows no face"
                outcome.fail(.noFace, "\(job.input): \(reason); nothing was written (--no-face fail)")
                try checkIsGone(job)
                return
            }
        }
        start = .now
        let folder = try resultFolder(of: job)
        let (status, findings) = (outcome.status, PhotoFindings(outcome))
        let synchronises = studio.journal?.synchronises ?? false
        func note(_ result: stat, _ checksum: UInt64) throws(FileError) {
            let result = FileState(FileIdentity(result), checksum: checksum)
            try studio.journal?.note(job, status, input: input, result: result, findings, obeying: decisions)
        }
        // Beside a face that is alone, other faces may be covered, and on it overlays are drawn.
        let isUntouched =
            job.turn == .upright && options.effects.background == nil
            && (isEmpty || outcome.isBare
                || outcome.isAlone && outcome.faces.count == 1 && outcome.unsureFaces.isEmpty
                    && options.overlays.isEmpty)
        if options.isLayered {
            let layered = try LayeredResult(picture, layers, path: job.output)
            outcome.times.end(.encode, since: &start)
            try layered.write(
                to: job.output.name, in: folder, replacing: replacing, synchronises: synchronises, willAppear: note)
        } else if isUntouched && faceless == .copy && format == picture.format && !options.anonymises {
            try AtomicFile.write(
                bytes, to: job.output.name, in: folder, replacing: replacing, synchronises: synchronises
            ) { (result) throws(FileError) in try note(result, input.checksum) }
        } else {
            let settings = PictureWriter.Options(format: format, quality: options.result.quality)
            let metadata = PictureWriter.metadata(ofMasked: picture)
            outcome.times.end(.metadata, since: &start)
            let encoded = try PictureWriter.encode(
                picture, with: metadata, options: settings, path: job.output.description)
            outcome.times.end(.encode, since: &start)
            let checksum = encoded.checksum
            try encoded.write(
                to: job.output.name, in: folder, replacing: replacing, synchronises: synchronises
            ) { (result) throws(FileError) in try note(result, checksum) }
        }
        outcome.times.end(.write, since: &start)
        if options.thumbnails != .none { outcome.thumbnailAfter = try? Thumbnail(of: picture) }
        outcome.output = job.output
    }

    /// The path of the result below the folder of results.
    private func key(_ job: PhotoJob) -> FilePath { studio.journal?.key(job) ?? job.output.name }

    /// Where nothing is written, what an earlier run has written would stay, and pass for the result of this one.
    /// - Throws: `FileError` if there is something.
    private func checkIsGone(_ job: PhotoJob) throws(FileError) {
        guard job.output.status(followsLinks: false) != nil else { return }
        if let journal = studio.journal, try journal.takeBack(job, in: resultFolder(of: job)) { return }
        throw FileError(
            .alreadyExists, path: job.output,
            "exists from an earlier run, perhaps unmasked, but \(job.input) shows no face now and gets no result; "
                + "remove it")
    }

    /// Opens the folder that the result lies in, and makes it if none exists. The folder of all results may be a link,
    /// but none in it leads out of it.
    private func resultFolder(of job: PhotoJob) throws(FileError) -> OpenFolder {
        if let journal = studio.journal {
            try Folder.createParent(of: journal.path)
            return try OpenFolder(ofFile: journal.path).folder(of: journal.key(job))
        }
        try Folder.createParent(of: job.output)
        return try OpenFolder(ofFile: job.output)
    }

    /// The thumbnails of a photograph that was done in an earlier run.
    private func readThumbnails(_ job: PhotoJob, _ outcome: inout PhotoOutcome) {
        if options.thumbnails == .both { outcome.thumbnailBefore = Thumbnail(file: job.input) }
        if options.thumbnails != .none { outcome.thumbnailAfter = outcome.output.flatMap { Thumbnail(file: $0) } }
    }

    /// - Throws: `FileError` if the result would lie behind a link.
    private func checkLinks(above job: PhotoJob) throws(FileError) {
        guard let journal = studio.journal, let folder = try? OpenFolder(ofFile: journal.path) else { return }
        try folder.checkLinks(above: journal.key(job))
    }

    /// Whether the result may replace a file; nil if it need not be made, which the outcome then says.
    /// - Throws: `FileError` if there is a file that must not be replaced.
    private func mayReplace(_ job: PhotoJob, _ outcome: inout PhotoOutcome) throws(FileError) -> Bool? {
        try checkLinks(above: job)
        switch options.existing {
        case .replace: break
        case .skip:
            guard let journal = studio.journal else { fallthrough }
            switch try journal.resultState(of: job) {
            case .missing: return false
            case .outdated, .redecided, .rechosen: break
            case .kept(let reason): throw FileError(.alreadyExists, path: job.output, reason)
            case .done(let status, let findings):
                outcome.status = status
                outcome.isFromEarlierRun = true
                outcome.earlierFindings = findings
                (outcome.width, outcome.height, outcome.doubt) = (findings?.width, findings?.height, findings?.doubt)
                outcome.output = job.output.exists ? job.output : nil
                return nil
            }
        case .fail:
            if job.output.status(followsLinks: false) != nil {
                throw FileError(
                    .alreadyExists, path: job.output, "already exists; --existing replace replaces it")
            }
            return false
        }
        try AtomicFile.checkIsReplaceable(job.output)
        return true
    }
}
