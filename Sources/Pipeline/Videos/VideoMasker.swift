import Clips
import Compositing
import FaceGeometry
import FaceTracking
import Files
import FrameProcessing
import Glibc
import ImageFiles
import Installation
import LandmarkModels
import MaskRendering
import People
import Pixels

/// Masks one video after another. Decoding, tracking, drawing and encoding overlap, on a thread each; drawing is on the
/// caller's thread, which owns
/// the renderer.
package final class VideoMasker {
    package struct Settings: Sendable {
        /// A mask's name or folder.
        package var mask = "bauta"
        package var renderer = RendererChoice.auto
        package var models = FaceModels()
        package var faces = FaceChoice.all
        /// The covering of each person's face; nil: everybody wears the mask.
        package var people: PeopleSettings?
        /// The fate of a lost face's mask.
        package var whenLost = LostFaces.Policy.hide
        /// The occluders that are shown in front of masks.
        package var occluders = OccluderPolicy.mask
        /// Is told once for each video what is left out because a network is damaged, unless somebody has asked for it.
        package var warn: (@Sendable (String) -> Void)?
        /// Makes what is done to each video's frames before masks are drawn; nil: nothing.
        package var makeEffects: (@Sendable () throws -> FrameEffects)?
        /// Whether these make frames transparent. Results then have alpha.
        package var hasAlpha = false
        /// The smallest face to look for; nil: a tenth of the picture's height, and less for CenterFace.
        package var smallestFace: SmallestFace?
        /// Of H.264, 0 to 51; lower is better.
        package var quality = 18
        /// No more frames than this are read of each video; nil: all.
        package var frameLimit: Int?
        /// Whether existing results are replaced.
        package var replaces = false
        /// Whether faces are covered (`FaceCover`), and all that tells who or where it was is
        /// left out, but the sound. No mask is drawn; of `people`, who is spared counts.
        package var anonymises = false
        /// How these covers look.
        package var cover = FaceCover.Style.solid
        /// What counts as a face then.
        package var thoroughness = SearchThoroughness.balanced
        /// Whether the sound is taken over.
        package var keepsSound = true

        package init() {}

        /// Whether faces are to be blurred on which no mask fits, such as profiles.
        package var blursUnmasked: Bool {
            !anonymises && (whenLost == .blur || people?.coversUnrecognised == true)
        }
    }

    /// The progress on a video, or its totals.
    package struct Summary: Sendable {
        /// A reading of the video.
        package enum Pass: Sendable {
            /// Looks for faces that are to be covered.
            case faces
            /// Masks or covers them.
            case masking
        }

        package let input: FilePath
        package let output: FilePath
        package var frames = 0
        /// Frames in which at least one face was found.
        package var framesWithFaces = 0
        /// Frames in which at least one face got the mask.
        package var maskedFrames = 0
        /// Where a face that had been followed was without its mask.
        package var unmaskedFaces = UnmaskedFaces()
        /// Of the masked video, in seconds.
        package var duration = 0.0
        /// The sound of the video for the mask; nil: it does not follow sound.
        package var sound: ClipSoundRequest.Finding?
        /// What is done at present.
        package var pass = Pass.masking
        /// Of the present pass, counted from 1, and the number of all passes.
        package var passNumber = 0
        package var passCount = 1
        /// Frames of the present pass, and the time of the last one in seconds, if it is not that of masking.
        package var surveyedFrames = 0
        package var surveyedSeconds = 0.0
        /// What was found, with `anonymises`; nil until then.
        package var search: FaceBoxSearch?
        /// Tracks that were covered: a person counts again after each cut. Nil: it was not to be anonymised.
        package var coveredFaces: Int?
        /// Tracks that a review uncovers.
        package var uncoveredInReview = 0
        /// Frames in which a face without landmarks was blurred; nil: none was looked for.
        package var framesWithBlurredFaces: Int?
        /// How long masking took.
        package var seconds = 0.0

        /// As a multiple of real time.
        package var speed: Double { seconds > 0 ? duration / seconds : 0 }
    }

    /// What a person has decided about the faces of a video.
    package struct Review: Equatable, Sendable {
        package let corrections: FaceBoxCorrections
        /// Whether all of it was looked at: then it may show no face.
        package let isComplete: Bool

        package init(corrections: FaceBoxCorrections, isComplete: Bool) {
            (self.corrections, self.isComplete) = (corrections, isComplete)
        }
    }

    /// Nothing is written of a video that is to be anonymised and in which no face was found: one that was missed would be
    /// unmasked.
    package struct NoFace: Error, CustomStringConvertible {
        package let path: FilePath
        /// Whether somebody has uncovered all that were found.
        package let areUncovered: Bool
        package var description: String {
            areUncovered
                ? "\(path): all faces that were found were uncovered; nothing was written, because the review is not complete: "
                    + "look at each track in bauta review, and press Space"
                : "\(path): no face was found; nothing was written, because a face that was missed would be unmasked"
        }
    }

    /// How faces are found that are to be covered.
    package let search: VideoFaceSearch
    private let settings: Settings
    private let model: any LandmarkModel
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private let renderer: MaskRenderer
    private let masks: WornMasks
    /// Whether faces are covered that wear no mask, wherever CenterFace finds them.
    private let coversUnmasked: Bool

    /// - Throws: `DataFolderError`, `FileError`, `VisionError`, `GraphicsError`, or what is wrong with the mask.
    package init(_ settings: Settings, data: DataFolder) throws {
        self.settings = settings
        search = VideoFaceSearch(
            models: settings.models, thoroughness: settings.thoroughness, frameLimit: settings.frameLimit)
        reference = try data.referenceFace()
        mesh = try data.mesh()
        masks = try WornMasks([settings.mask], people: settings.people, models: settings.models) { [reference] in
            try data.mask($0, reference: reference)
        }
        if !settings.anonymises { for notice in masks.notices { settings.warn?(notice) } }
        model = try settings.models.loadLandmarkModel(for: .frames)
        renderer = try data.makeRenderer(settings.renderer, reference: reference, mesh: mesh)
        coversUnmasked = settings.anonymises || settings.blursUnmasked && settings.models.findsProfiles
    }

    /// ffmpeg's name of the container that a file name asks for: one of those that take any sound; nil for others.
    /// - Parameter hasAlpha: whether it has to take pictures with alpha.
    package static func format(of path: some FilePathConvertible, hasAlpha: Bool = false) -> String? {
        let ending = path.filePath.fileExtension
        if hasAlpha { return ClipFormat.extensionsWithAlpha.contains(ending) ? ending : nil }
        return switch ending {
        case "mp4", "m4v": "mp4"
        case "mov": "mov"
        case "mkv": "matroska"
        default: nil
        }
    }

    /// Masks a video.
    /// - Parameters:
    ///   - review: what a person has decided about the faces, with `anonymises`; nil: nobody has looked at it.
    ///   - state: of the input before anything was read of it (`state(of:)`); nil: nothing was.
    ///   - known: what an earlier run or `bauta review` has found with the same `search`; nil: the video is searched.
    ///   - isCancelled: asked before each frame.
    ///   - progress: called after each frame of each pass.
    /// - Returns: nil if it was cancelled. Neither then nor after an error is anything left of the output.
    /// - Throws: `ClipError`, `FileError`, `VisionError`, `GraphicsError` or `NoFace`.
    package func process(
        input: FilePath, output: FilePath, state: [Int]? = nil, review: Review? = nil, known: FaceBoxSearch? = nil,
        isCancelled: () -> Bool,
        progress: (Summary, ClipInformation) -> Void
    ) throws -> Summary? {
        if settings.replaces { try AtomicFile.checkIsReplaceable(output) } else { try AtomicFile.checkIsFree(output) }
        try Self.checkIsNoPhotograph(input)
        let information = try ClipInformation.read(input)
        try Self.checkIsLargeEnough(information, input)
        try Folder.createParent(of: output)
        let temporary = try TemporaryFile(for: output)
        let start = ContinuousClock.now
        let stateBefore = state ?? Self.state(of: input)
        let sink = makeSink(input: input, information, output: output, file: try ClipFile(temporary))
        defer { sink.cancel() }
        var compositor = FaceCompositor(
            mask: masks.standard, reference: reference, mesh: mesh, faces: settings.faces, whenLost: settings.whenLost)
        compositor.occluders.policy = settings.occluders
        compositor.occluders.search = .waiting(settings.models.networks)
        if [.mask, .nothing].contains(settings.occluders) {
            compositor.warn = { [settings] in settings.warn?("\($0)") }
        }
        compositor.people = masks.people
        compositor.effects = try settings.makeEffects?() ?? FrameEffects()
        // Nobody has asked for hair: it keeps its colour.
        if compositor.warn == nil, !settings.models.networks.hasPerson {
            compositor.effects.retouches.removeAll(where: \.needsPeople)
        }
        var summary = Summary(input: input, output: output)
        func begin(_ pass: Summary.Pass) {
            (summary.pass, summary.surveyedFrames, summary.surveyedSeconds) = (pass, 0, 0)
            summary.passNumber += 1
        }
        func noteSurveyed(_ seconds: Double) {
            summary.surveyedFrames += 1
            summary.surveyedSeconds = seconds
            progress(summary, information)
        }
        let corrections = review?.corrections ?? .init()
        summary.search = known.flatMap { $0.marks == corrections.marks ? $0 : nil }
        summary.passCount = coversUnmasked && summary.search == nil ? 2 : 1
        var covers: VideoCovers?
        var expectedFrames: Int?
        if coversUnmasked {
            guard !stateBefore.isEmpty else {
                throw FileError(
                    .unreadable, path: input, "is not a file: a video in which faces are covered is read twice")
            }
            if summary.search == nil {
                begin(.faces)
                summary.search = try search.found(
                    in: input, information, corrections: corrections, known: known, isCancelled: isCancelled,
                    progress: noteSurveyed)
            }
            guard let search = summary.search else { return nil }
            expectedFrames = search.times.count
            let (tracks, uncovered) = corrections.remaining(search.tracks)
            summary.uncoveredInReview = uncovered
            covers = VideoCovers(
                tracks, style: settings.anonymises ? settings.cover : .blur, smallestFace: settings.smallestFace)
            if settings.anonymises {
                guard !tracks.isEmpty || review?.isComplete == true else {
                    throw NoFace(path: input, areUncovered: !corrections.removed.isEmpty)
                }
                summary.coveredFaces = 0
            } else {
                summary.framesWithBlurredFaces = 0
            }
        }
        begin(.masking)
        let sound = !settings.anonymises && compositor.followsSound ? ClipSoundRequest(isWanted: true) : nil
        let pipeline = makePipeline(
            input, information, sound: sound, identifies: true, tracks: !settings.anonymises || masks.people != nil)
        defer { pipeline.stop() }
        let isComplete = try pipeline.run(into: sink, isCancelled: isCancelled) { frame in
            if settings.anonymises {
                try anonymise(&frame, &compositor, &covers, &summary)
            } else {
                try compositor.compose(&frame, with: renderer)
                try blurUnmasked(&frame, &covers, &summary)
                summary.framesWithFaces += frame.faces.isEmpty ? 0 : 1
                summary.maskedFrames += frame.chosenFaces.isEmpty ? 0 : 1
            }
            summary.frames += 1
            if let expectedFrames, summary.frames > expectedFrames { throw Self.changed(input) }
            summary.duration = frame.seconds ?? 0
            progress(summary, information)
        }
        guard isComplete else { return nil }
        if let expectedFrames, Self.state(of: input) != stateBefore || summary.frames != expectedFrames {
            throw Self.changed(input)
        }
        summary.sound = sound?.finding
        try temporary.rename(replacing: settings.replaces)
        summary.duration += 1 / (information.frameRate ?? 25)
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        return summary
    }

    /// Covers all faces of a frame, but those of people who may be seen.
    private func anonymise(
        _ frame: inout Frame, _ compositor: inout FaceCompositor, _ covers: inout VideoCovers?, _ summary: inout Summary
    ) throws {
        try compositor.applyEffect(to: &frame)
        compositor.choose(&frame)
        let chosen = frame.chosenFaces
        let spared = frame.faces.filter { face in !chosen.contains { $0.trackID == face.trackID } }
        var isCovered = try covers?.draw(on: &frame, sparing: spared).isCovered ?? false
        for instance in chosen {
            try FaceCover(instance.face).draw(settings.cover, in: &frame.pixels)
            isCovered = true
        }
        summary.coveredFaces = covers?.coveredCount
        summary.framesWithFaces += isCovered || !frame.faces.isEmpty ? 1 : 0
        summary.maskedFrames += isCovered ? 1 : 0
    }

    /// Blurs the faces of a frame that are not tracked with landmarks, as of profiles: nobody knows whose they are. A mask that
    /// stays where a face was lost does not fit it any more.
    private func blurUnmasked(_ frame: inout Frame, _ covers: inout VideoCovers?, _ summary: inout Summary) throws {
        var drawn = VideoCovers.Drawn()
        if frame.isBlurred {
            covers?.follow(frame, sparing: frame.faces)
        } else if covers != nil {
            drawn = try covers?.draw(on: &frame, sparing: frame.faces) ?? drawn
            summary.framesWithBlurredFaces? += drawn.isCovered ? 1 : 0
        }
        summary.unmaskedFaces.note(frame, blurredTrackIDs: drawn.trackIDs)
    }

    /// What tells whether a file was replaced or written to: covers that were found in another one would be in the wrong places.
    package static func state(of path: FilePath) -> [Int] {
        guard let status = path.status(), status.type == S_IFREG else { return [] }
        return [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }

    private static func changed(_ path: FilePath) -> FileError {
        FileError(.changed, path: path, "was changed while it was read")
    }

    /// The encoder takes even sizes, to which others are reduced; of a side of 1 pixel nothing would be left.
    private static func checkIsLargeEnough(_ information: ClipInformation, _ path: FilePath) throws(ClipError) {
        guard min(information.width, information.height) < 2 else { return }
        throw ClipError(
            .notAVideo, path: path,
            "its frames of \(information.width) × \(information.height) pixels are too small for the encoder, which needs 2 × 2 "
                + "pixels or more")
    }

    /// - Throws: `ClipError` if the file is a still picture, which ffmpeg takes for a video of one frame.
    private static func checkIsNoPhotograph(_ path: FilePath) throws {
        // Videos of JPEGs begin as one does, and have other names.
        guard PictureFormat(path: path) != nil, let format = PictureHeader(path: path)?.format else { return }
        // An animated PNG is a video, and cannot be read as a picture.
        if format == .png, (try? PictureReader.read(path)) == nil { return }
        throw ClipError(.notAVideo, path: path, "is a photograph, not a video: bauta photo \(path) masks it")
    }

    private func makePipeline(
        _ input: FilePath, _ information: ClipInformation, sound: ClipSoundRequest?, identifies: Bool,
        tracks: Bool
    ) -> FramePipeline {
        var tracking = FaceTracker.Settings.video(smallestFace: settings.smallestFace)
        tracking.leavesOutPrints = !settings.anonymises && !settings.blursUnmasked && settings.people == nil
        let source = ClipSource.description(
            input, information: information, frames: settings.frameLimit, isPaced: false, isLive: false,
            sound: sound)
        guard tracks else { return FramePipeline(source) { PassingAnalyzer() } }
        return FramePipeline(source) {
            [
                identifier = identifies ? masks.identifier : nil, model, models = settings.models, reference,
                tracking
            ] in
            LookAheadAnalyzer(
                try models.makeLookAheadTracker(model: model, reference: reference, settings: tracking),
                identifier: identifier)
        }
    }

    /// Sound, subtitles, chapters and metadata come from the input as they are, as far as they are taken over.
    private func makeSink(
        input: FilePath, _ information: ClipInformation, output: FilePath, file: ClipFile
    ) -> SinkThread {
        var writing = ClipWriter.Settings(target: file.path)
        writing.file = file
        writing.name = output.description
        writing.format = Self.format(of: output, hasAlpha: settings.hasAlpha)
        writing.hasAlpha = settings.hasAlpha
        writing.frameRate = information.frameRate
        writing.source = settings.anonymises && !settings.keepsSound ? nil : input
        writing.takenOver = settings.anonymises ? .sound : settings.keepsSound ? .everything : .allButSound
        writing.color = information.color
        writing.isFragmented = false
        writing.quality = settings.quality
        let (width, height) = (information.width, information.height)
        return SinkThread(keepsEvery: true) { [writing] stopSignal in
            try ClipSink(width: width, height: height, settings: writing, stopSignal: stopSignal)
        }
    }
}
