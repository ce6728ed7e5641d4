import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import MaskRendering
import Masking
import Masks
import Pixels

/// Everything that masks photographs and is shared by the workers.
final class PhotoStudio: Sendable {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let mask: Mask
    let renderThread: RenderThread
    let model: SharedModel

    /// Loads what is needed and finds out whether it works; the landmark model goes on loading meanwhile.
    init(options: PhotoOptions, data: DataFolder) throws {
        reference = try data.referenceFace()
        mesh = try data.mesh()
        mask = try data.mask(options.mask, reference: reference)
        renderThread = RenderThread(shaders: try data.maskShaders(), reference: reference, mesh: mesh)
        try renderThread.perform { _ in }
        model = SharedModel(path: options.model)
    }
}

/// Masks one photograph after another. One to a thread.
struct PhotoMasker {
    let studio: PhotoStudio
    let options: PhotoOptions
    private let finder: PhotographFaces

    init(studio: PhotoStudio, options: PhotoOptions) throws {
        self.studio = studio
        self.options = options
        let model = studio.model
        finder = try PhotographFaces(reference: studio.reference, model: { try model.cascade() })
    }

    /// What is wrong with one photograph is told in its outcome.
    /// - Throws: only what concerns all of them: no model, no OpenGL.
    func process(_ job: PhotoJob) throws -> PhotoOutcome {
        var outcome = PhotoOutcome(input: job.input, output: nil, status: .failed)
        if let obstacle = job.obstacle {
            outcome.fail("\(job.input): \(obstacle)")
            return outcome
        }
        do {
            try process(job, &outcome)
        } catch let error as PictureError {
            if error.kind == .notAPicture && !job.isNamed {
                outcome.status = .ignored
            } else {
                outcome.fail("\(error)")
            }
        } catch let error as FileError {
            outcome.fail("\(error)")
        } catch let error as OutOfMemory {
            outcome.fail("\(job.input): \(error)")
        } catch let error as VisionError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail("\(job.input): \(error)")
        } catch let error as RenderingError where error.kind == .failed || error.kind == .outOfMemory {
            outcome.fail("\(job.input): \(error)")
        }
        return outcome
    }

    private func process(_ job: PhotoJob, _ outcome: inout PhotoOutcome) throws {
        // Found out before the work, not after; the writer makes sure once more.
        if !options.replaces { try AtomicFile.checkIsFree(job.output) }
        let clock = ContinuousClock()
        let start = clock.now
        var picture = try PictureReader.read(job.input)
        outcome.times.decode = clock.now - start
        outcome.width = picture.pixels.width
        outcome.height = picture.pixels.height
        try mask(&picture, &outcome)

        let format = options.format ?? picture.format
        let isUntouched = outcome.faces.isEmpty
        outcome.status = isUntouched ? .noFace : .masked
        if isUntouched && options.faceless == .skip { return }
        let encoding = clock.now
        try Folder.createParent(of: job.output)
        if isUntouched && format == picture.format {
            try AtomicFile.copy(job.input, to: job.output, replacing: options.replaces)
        } else {
            let settings = PictureWriter.Options(format: format, quality: options.quality)
            try PictureWriter.write(picture, to: job.output, options: settings, replacing: options.replaces)
        }
        outcome.times.encode = clock.now - encoding
        outcome.output = job.output
    }

    private func find(in photograph: borrowing PixelBuffer) throws -> PhotographFaces.Result {
        options.searchesRotated
            ? try finder.facesAtAnyRotation(in: photograph, minimumFaceWidth: options.minimumFaceWidth)
            : try finder.faces(in: photograph, minimumFaceWidth: options.minimumFaceWidth)
    }

    /// Finds the faces and draws on them.
    func mask(_ picture: inout Picture, _ outcome: inout PhotoOutcome) throws {
        let found =
            picture.pixels.format == .rgba16
            ? try find(in: picture.pixels.withEightBits()) : try find(in: picture.pixels)
        outcome.times.detect = found.detectionTime
        outcome.times.landmarks = found.landmarkTime
        switch options.faces {
        case .all: outcome.faces = found.faces
        case .largest(let count): outcome.faces = Array(found.faces.prefix(count))
        }
        let clock = ContinuousClock()
        let start = clock.now
        let faces = outcome.faces
        if options.isMasking && !faces.isEmpty {
            let encoding = MaskRenderer.ColorEncoding(
                isGrey: !picture.isColor, isOpaque: !picture.hasAlpha,
                matrixFromSRGB: picture.isColor ? picture.metadata.matrixFromSRGB : nil)
            let mask = studio.mask
            try studio.renderThread.perform { renderer in
                // The smallest first: those are farther away.
                let instances = faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
                try renderer.draw(mask, on: instances.reversed(), in: &picture.pixels, encoding: encoding)
            }
        }
        for face in faces { FaceOverlay(face: face, mesh: studio.mesh).draw(options.overlays, in: &picture.pixels) }
        outcome.times.render = clock.now - start
    }
}
