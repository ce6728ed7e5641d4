import Arguments
import Backgrounds
import Compositing
import FaceTracking
import Files
import Glibc
import ImageFiles
import Installation
import Records
import ReviewWindow
import Videos

/// `bauta video`: masks on recorded videos.
enum VideoCommand {
    private static let output = Option<FilePath>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "The folder for the results, or the file for a single video.")
    private static let rateFactor = Option<Int>(
        "crf", value: "number", in: 0...51, default: 18,
        help: "ffmpeg's constant rate factor for H.264: lower means better and larger.")
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 1...100_000_000, defaultText: "all",
        help: "Process only the first N frames of each video.")
    private static let reports = ReportOptions(
        "one line of JSON for each video",
        details: "It has frames, masked frames, unmasked faces, and speed; see docs/reference/video-report.md.")
    private static let smallestFace = Option<SmallestFace?>(
        "min-face", value: "size", absent: nil, limits: "default: 4%, without CenterFace 10%",
        help: "Ignore smaller faces: 40px, or 10% of the picture's height."
    ) { (text) throws(InvalidValue) in try FaceSize.smallest(text) }
    private static let whenLost = MaskingOptions.whenLost(default: .hide)
    private static let anonymise = Flag(
        "anonymise",
        help: "Cover faces so that nothing of them is left, and remove metadata. Look at the results."
    ).details(
        """
        Cover faces so that nothing of them is left, in place of masking them: an opaque area on all that may be a face, \
        profiles and small faces included, also in the frames before it was found and after it was lost, as far as it can be \
        followed. The video is read twice. \
        Metadata, chapters, subtitles and cover pictures are removed. The sound stays, encoded anew, and a voice tells who speaks: --sound \
        none removes it. --except leaves people unmasked who agreed to be seen. A face that is not found stays unmasked: look \
        at the results. Needs CenterFace (bauta fetch-networks).
        """)
    private static let sound = Option<SoundChoice>(
        "sound", default: .keep, help: "Keep the sound of the video, or leave it out."
    ).details("Keep the sound of the video, or leave it out.")

    private enum SoundChoice: String, CaseIterable, Sendable { case keep, none }

    static let definition = CommandDefinition(
        name: "video", overview: "Put a mask on every face in recorded videos.",
        discussion: """
            Reads all videos that ffmpeg can read and writes MP4, MOV or Matroska with H.264. Tracking uses earlier \
            and later frames, so masks do not lag. Sound, subtitles, chapters, metadata, timestamps and colour tags \
            are kept; a video that is stored rotated is written upright. An input is never overwritten, and a result \
            gets its name only when it is complete. The summary lists frames in which a tracked face was left unmasked.
            """,
        arguments: [ArgumentDefinition(name: "input", help: "Videos.", repeats: true, takesPaths: true, kind: .clip)],
        groups: [
            .input(frames),
            .mask(
                MaskingOptions.mask, MaskingOptions.faces, smallestFace, MaskingOptions.occluders,
                MaskingOptions.renderer),
            .output(output, rateFactor, sound, MaskingOptions.force, reports.file, reports.json, MaskingOptions.quiet),
            .privacy(
                anonymise, MaskingOptions.sure, MaskingOptions.careful, MaskingOptions.cover, PeopleOptions.people,
                PeopleOptions.only,
                PeopleOptions.except, whenLost),
            OptionGroup(
                "Advanced", [MaskingOptions.background, MaskingOptions.masksAlone], describedIn: "'bauta help video'"),
            ModelOptions.group,
        ],
        examples: [
            "bauta video film.mp4                          # masked/film.mp4",
            "bauta video --mask skull *.mov --output skulls",
            "bauta video --except Ada,Bruno interview.mp4  # both agreed to be seen",
            "bauta video --when-lost blur interview.mp4    # blurred where a face is lost",
            "bauta video --anonymise --sound none demo.mp4 # nothing left of the faces",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        try MaskingOptions.checkOccluders(arguments, isSinglePicture: false)
        let background = try MaskingOptions.checkedBackground(arguments)
        let hasAlpha = background?.isTransparent == true
        if hasAlpha, arguments.has(rateFactor), arguments[output].fileExtension != "webm" {
            throw arguments.invalid(rateFactor, "does not apply to ProRes, in which videos with alpha are written")
        }
        let jobs = try jobs(arguments.paths, into: arguments[output], hasAlpha: hasAlpha)
        for job in jobs { InputFiles.protect(job.input) }
        var settings = try settings(arguments, background)
        settings.people = try PeopleOptions.settings(arguments)
        if arguments[anonymise] {
            try anonymise(&settings, arguments)
        } else {
            try MaskingOptions.checkIsAnonymising(arguments)
        }
        if settings.anonymises {
            // A damaged one ends the run before anything is written.
            for folder in Set(jobs.map(\.output.parent)) { _ = try ReviewFile(folder: folder) }
        }
        if settings.blursUnmasked { MaskingOptions.warnOfProfiles(settings.models) }
        let reportPath = try reports.place(arguments)
        try check(reportPath, jobs, arguments)
        let report = try reportPath.map { try GrowingFile($0, replacing: arguments[MaskingOptions.force]) }
        let masker = try VideoMasker(settings, data: try DataFolder.find())
        var failures = 0
        for job in jobs {
            do {
                let progress = VideoProgress(
                    isQuiet: arguments[MaskingOptions.quiet], isWhole: arguments[frames] == nil)
                let summary =
                    try arguments[anonymise]
                    ? anonymised(job, masker, progress) : process(job, masker, progress)
                if arguments[anonymise], !arguments[MaskingOptions.quiet] {
                    if settings.keepsSound { Console.error("  \(soundNotice)\n") }
                    let command = ReviewCommand.words(for: job.input, result: job.output, arguments)
                    Console.error("  Look through it: \(command)\n")
                }
                if !arguments[MaskingOptions.quiet],
                    let notice = formatNotice(job, isFile: job.output == arguments[output])
                {
                    Console.error("  \(notice)\n")
                }
                let line = Console.printableText(of: summary.json) + "\n"
                if report?.path == "-" { Console.output(line) } else { try report?.write(line) }
            } catch {
                if Interrupt.isRequested {
                    throw CommandFailure(.interrupted, "\(job.output): interrupted; no file was written")
                }
                let failure = CommandFailure(classifying: error)
                if jobs.count == 1 { throw failure }
                Console.failure(failure.description)
                failures += 1
            }
        }
        try report?.finish()
        return failures == 0 ? .success : .someFailed
    }

    /// - Throws: `UsageError` if the report is a result, too.
    private static func check(
        _ report: FilePath?, _ jobs: [(input: FilePath, output: FilePath)], _ arguments: ParsedArguments
    ) throws(UsageError) {
        guard let report, report != "-" else { return }
        let place = FilePlace(report)
        for job in jobs where job.output == report || FilePlace(job.output) == place {
            throw UsageError("The report and the result of \(job.input) would be the same file.", arguments.commandPath)
        }
    }

    /// Sets what `--anonymise` stands for.
    /// - Throws: `UsageError` if another option would leave a face unmasked or has no effect; `CommandFailure` if the detector
    ///   that finds turned faces is missing and no other one was chosen.
    private static func anonymise(_ settings: inout VideoMasker.Settings, _ arguments: ParsedArguments) throws {
        try MaskingOptions.checkAnonymising(
            arguments, settings.models,
            refusing: [
                (
                    MaskingOptions.mask,
                    "faces are covered with a plain area, because a mask leaves parts of them visible"
                ),
                (smallestFace, "faces of all sizes are covered"),
                (whenLost, "a face that is not found in a frame stays covered"),
            ])
        settings.anonymises = true
        settings.thoroughness = try MaskingOptions.thoroughness(arguments, settings.models)
        settings.cover = arguments[MaskingOptions.cover]
    }

    private static func settings(
        _ arguments: ParsedArguments, _ background: BackgroundChoice?
    ) throws(UsageError) -> VideoMasker.Settings {
        var settings = VideoMasker.Settings()
        let networks = FaceModels(arguments).networks
        settings.hasAlpha = background?.isTransparent == true
        settings.makeEffects = { try FrameEffects(background, networks: networks) }
        settings.mask = try MaskingOptions.singleMask(arguments)
        settings.renderer = arguments[MaskingOptions.renderer]
        settings.models = FaceModels(arguments)
        settings.faces = arguments[MaskingOptions.faces]
        settings.smallestFace = arguments[smallestFace]
        settings.whenLost = arguments[whenLost]
        settings.occluders = arguments[MaskingOptions.occluders]
        settings.warn = { Console.warning($0) }
        settings.quality = arguments[rateFactor]
        settings.frameLimit = arguments[frames]
        settings.replaces = arguments[MaskingOptions.force]
        settings.keepsSound = arguments[sound] == .keep
        return settings
    }

    private static let soundNotice =
        "Voices are kept, if the video has sound, and tell who speaks: --sound none leaves them out."

    /// Why a result in a folder has another ending than its video; nil: it has the same.
    private static func formatNotice(_ job: (input: FilePath, output: FilePath), isFile: Bool) -> String? {
        let ending = job.output.fileExtension
        guard !isFile, ending == "mkv", !["", ending].contains(job.input.fileExtension) else { return nil }
        let other = job.output.withoutExtension + ".mp4"
        return "It is Matroska, because .\(job.input.fileExtension) is not written; -o \(other.shellWord) chooses MP4."
    }

    private static func anonymised(
        _ job: (input: FilePath, output: FilePath), _ masker: VideoMasker, _ progress: VideoProgress
    ) throws -> VideoMasker.Summary {
        // Another file may take its place while it is read.
        let state = VideoMasker.state(of: job.input)
        let checksum = try Checksum.ofFile(job.input)
        let file = FaceSearchFile(
            folder: job.output.parent, checksum: checksum, settings: masker.search.settings)
        let known = ReviewCommand.known(file)
        do {
            let summary = try process(
                job, masker, progress, state: state, review: review(of: job, checksum), known: known)
            if let search = summary.search, search != known { ReviewCommand.keep(search, in: file) }
            return summary
        } catch let error as FileError where error.kind == .changed {
            // It may not be true of what another version of ffmpeg decodes.
            file.remove()
            throw error
        }
    }

    private static func process(
        _ job: (input: FilePath, output: FilePath), _ masker: VideoMasker, _ progress: VideoProgress,
        state: [Int]? = nil, review: VideoMasker.Review? = nil, known: FaceBoxSearch? = nil
    ) throws -> VideoMasker.Summary {
        var progress = progress
        let summary = try masker.process(
            input: job.input, output: job.output, state: state, review: review, known: known,
            isCancelled: { Interrupt.isRequested },
            progress: { progress.note($0, $1) })
        guard let summary else { throw CommandFailure(.interrupted, "interrupted") }
        progress.finish(summary)
        return summary
    }

    /// What a person has decided about the faces of a video (`bauta review`).
    /// - Parameter checksum: of the video.
    private static func review(
        of job: (input: FilePath, output: FilePath), _ checksum: UInt64
    ) throws -> VideoMasker.Review? {
        let file = try ReviewFile(folder: job.output.parent)
        guard file.knows(job.output.name) else {
            if let other = file.results(of: checksum).first {
                Console.warning(
                    "\(job.input): was reviewed for \(job.output.parent / other); the decisions are not used for \(job.output)"
                )
            }
            return nil
        }
        guard let decisions = file.decisions(on: job.output.name, checksum: checksum) else {
            Console.warning(
                "\(job.input): is another file than the one that was reviewed for \(job.output); the decisions are not used"
            )
            return nil
        }
        return VideoMasker.Review(
            corrections: FaceBoxCorrections(decisions), isComplete: decisions.isReviewed)
    }

    /// The extension of a path that looks like a video or picture of a format that is not written here; nil for others.
    private static func otherVideoEnding(_ path: FilePath) -> String? {
        let endings = [
            "avi", "apng", "webm", "flv", "ts", "m2ts", "mts", "mpg", "mpeg", "wmv", "ogv", "ogg", "3gp",
        ]
        let ending = path.fileExtension
        return endings.contains(ending) || PictureFormat.isPictureName(path) ? ending : nil
    }

    /// The output path of each input. Clashes are found before anything is written.
    /// - Parameters:
    ///   - target: what was given for `--output`.
    ///   - hasAlpha: whether results have alpha.
    static func jobs(
        _ inputs: [FilePath], into target: FilePath, hasAlpha: Bool = false
    ) throws -> [(input: FilePath, output: FilePath)] {
        func format(of path: FilePath) -> String? { VideoMasker.format(of: path, hasAlpha: hasAlpha) }
        let isFile = format(of: target) != nil && !Folder.exists(target) && !target.endsWithSlash
        if hasAlpha, VideoMasker.format(of: target) != nil, !isFile, !Folder.exists(target), !target.endsWithSlash {
            throw CommandFailure(
                .usage,
                "\(target): .\(target.fileExtension) has no transparency here; name it .mov (ProRes 4444) or .webm (VP9)"
            )
        }
        if isFile {
            guard inputs.count == 1 else {
                throw CommandFailure(
                    .usage, "\(target): \(inputs.count) videos cannot go into one file; name a folder")
            }
            return [(inputs[0], target)]
        }
        if let ending = otherVideoEnding(target), !Folder.exists(target) {
            throw CommandFailure(
                .usage,
                "\(target): videos are not written as .\(ending) but as .mp4, .m4v, .mov or .mkv; if a folder is meant, "
                    + "write \(target)/")
        }
        if target.exists, !Folder.exists(target) {
            throw CommandFailure(
                .cannotCreate, "\(target): is a file, but must be a folder, or a file that ends in .mp4")
        }
        var outputs: [FilePath: FilePath] = [:]
        return try inputs.map { input in
            let name = input.name
            // Other containers do not take H.264, or not every kind of sound.
            let ending = hasAlpha ? "mov" : "mkv"
            let output = target / (format(of: name) != nil ? name : name.withoutExtension + ".\(ending)")
            if let other = outputs.updateValue(input, forKey: output) {
                throw CommandFailure(.usage, "\(other) and \(input) would both become \(output)")
            }
            return (input, output)
        }
    }
}
