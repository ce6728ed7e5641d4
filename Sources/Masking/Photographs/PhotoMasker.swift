import FaceTracking
import Files
import Glibc
import Graphics
import ImageFiles
import MaskComposition
import MaskRendering
import Pixels

/// Masks photographs one after another: reads a picture file, takes the picture through analyzer and compositor, and
/// writes the result. It belongs to one thread; several share a studio.
package final class PhotoMasker {
    private let studio: PhotoStudio
    private let options: PhotoOptions
    private let analyzer: StillAnalyzer
    private var compositor: FaceCompositor

    /// - Throws: `VisionError` if the face detector cannot be made.
    package init(studio: PhotoStudio, options: PhotoOptions) throws {
        self.studio = studio
        self.options = options
        let model = studio.model
        let finder = try PhotographFaces(
            reference: studio.reference, detector: options.models.makeDetector(for: .photographs),
            model: { try model.model() })
        analyzer = StillAnalyzer(finder, settings: options.analysis)
        compositor = FaceCompositor(mask: options.isMasking ? studio.mask : nil, faces: options.faces)
    }

    /// Masks one photograph. The outcome says what is wrong with it.
    /// - Throws: only errors that concern all photographs: no landmark model, no OpenGL.
    package func process(_ job: PhotoJob) throws -> PhotoOutcome {
        var outcome = PhotoOutcome(input: job.input, output: nil, status: .failed)
        if let obstacle = job.obstacle {
            outcome.fail("\(job.input): \(obstacle)")
            return outcome
        }
        do {
            let memory = try memoryNeeded(job)
            try studio.memory.reserving(memory) { try process(job, &outcome) }
        } catch let error as PictureError {
            outcome.fail(error.kind == .video ? "\(error); bauta video masks it" : "\(error)")
            if error.kind == .notAPicture || error.kind == .video, !job.isNamed, !PictureFormat.isPictureName(job.input)
            {
                outcome.status = .ignored
            }
        } catch let error as FileError {
            outcome.fail("\(error)")
        } catch let error as OutOfMemory {
            outcome.fail("\(job.input): \(error)")
        } catch let error as VisionError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail("\(job.input): \(error)")
        } catch let error as GraphicsError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail("\(job.input): \(error)")
        }
        return outcome
    }

    /// The memory that a photograph takes at most, in bytes.
    /// - Throws: `PictureError` if all photographs together may not take as much.
    private func memoryNeeded(_ job: PhotoJob) throws -> Int {
        // Without a header nothing is decoded.
        guard let header = PictureHeader(path: job.input) else { return 0 }
        let needed = header.memoryNeeded(
            searchesRotated: options.analysis.searchesRotated, result: options.format)
        guard needed > studio.memory.size else { return needed }
        let mebibytes = (needed + (1 << 20) - 1) >> 20
        throw PictureError(
            .tooLarge, path: job.input.description,
            "claims to be \(header.width) × \(header.height) pixels, for which \(mebibytes) MiB of memory are needed; "
                + "photographs may take \(studio.memory.size >> 20) MiB together; --memory \(mebibytes)M allows it")
    }

    private func process(_ job: PhotoJob, _ outcome: inout PhotoOutcome) throws {
        // Before the work; the writer checks again.
        guard let replacing = try mayReplace(job, &outcome) else { return }
        let clock = ContinuousClock()
        let start = clock.now
        let input = job.input.status().map(FileIdentity.init)
        var picture = try PictureReader.read(job.input)
        outcome.times.decode = clock.now - start
        outcome.width = picture.pixels.width
        outcome.height = picture.pixels.height
        try mask(&picture, &outcome)

        let format = options.format ?? picture.format ?? .png
        let isFaceless = outcome.faces.isEmpty
        outcome.status = isFaceless ? .noFace : .masked
        if isFaceless {
            switch options.faceless {
            case .copy: break
            case .skip:
                studio.journal?.note(job, .noFace, input: input, result: nil)
                return
            case .blur: try picture.makeUnrecognisable()
            case .fail:
                outcome.fail("\(job.input): shows no face; nothing was written (--no-face fail)")
                return
            }
        }
        let encoding = clock.now
        try Folder.createParent(of: job.output)
        let status = outcome.status
        func note(_ result: stat) { studio.journal?.note(job, status, input: input, result: result) }
        if isFaceless && options.faceless == .copy && format == picture.format {
            try AtomicFile.copy(job.input, to: job.output, replacing: replacing, willAppear: note)
        } else {
            let settings = PictureWriter.Options(format: format, quality: options.quality)
            try PictureWriter.write(
                picture, to: job.output, options: settings, replacing: replacing, willAppear: note)
        }
        outcome.times.encode = clock.now - encoding
        outcome.output = job.output
    }

    /// Whether the result may replace a file; nil if it need not be made, which the outcome then says.
    /// - Throws: `FileError` if there is a file that must not be replaced.
    private func mayReplace(_ job: PhotoJob, _ outcome: inout PhotoOutcome) throws(FileError) -> Bool? {
        switch options.existing {
        case .replace: break
        case .skip:
            guard let journal = studio.journal else { fallthrough }
            switch try journal.standing(of: job) {
            case .missing: return false
            case .outdated: break
            case .kept(let reason): throw FileError(.alreadyExists, path: job.output, reason)
            case .done(let status):
                outcome.status = status
                outcome.isFromEarlierRun = true
                outcome.output = job.output.exists ? job.output : nil
                return nil
            }
        case .fail:
            try AtomicFile.checkIsFree(job.output)
            return false
        }
        try AtomicFile.checkIsReplaceable(job.output)
        return true
    }

    /// Finds the faces of a picture and draws on them. If that fails, the picture is lost.
    package func mask(_ picture: inout Picture, _ outcome: inout PhotoOutcome) throws {
        let encoding = ColorEncoding(
            isGrey: !picture.isColor, isOpaque: !picture.hasAlpha,
            matrixFromSRGB: picture.isColor ? picture.metadata.matrixFromSRGB : nil)
        // The pixels change owners: nothing is copied.
        var pixels = try PixelBuffer(width: 1, height: 1, format: .rgba8)
        swap(&pixels, &picture.pixels)
        try analyzer.add(Frame(pixels, seconds: nil, encoding: encoding))
        guard var frame = analyzer.next(isEnding: true) else { return }
        // "No face" is no answer of a model that cannot be used.
        if frame.faces.isEmpty { _ = try studio.model.model() }
        outcome.times.detect = frame.timings.detection
        outcome.times.landmarks = frame.timings.landmarks
        let start = ContinuousClock.now
        try compose(&frame)
        for instance in frame.chosenFaces {
            FaceOverlay(face: instance.face, mesh: studio.mesh).draw(options.overlays, in: &frame.pixels)
        }
        outcome.times.render = .now - start
        outcome.faces = frame.chosenFaces.map(\.face)
        picture.pixels = frame.reusedPixels()
    }

    private func compose(_ frame: inout Frame) throws {
        // A photograph without faces, or without a mask, does not wait for the render thread.
        if compositor.mask == nil || frame.faces.isEmpty { return compositor.choose(&frame) }
        try studio.renderThread.perform { try compositor.compose(&frame, with: $0) }
    }
}

extension Picture {
    /// Blurs the whole picture so that a face that was not found cannot be recognised.
    fileprivate mutating func makeUnrecognisable() throws(OutOfMemory) {
        if pixels.format != .rgba8 { pixels = try pixels.withEightBits() }
        pixels.makeUnrecognisable()
    }
}
