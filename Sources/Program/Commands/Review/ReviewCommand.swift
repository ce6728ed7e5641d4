import Arguments
import Clips
import FaceTracking
import Files
import Glibc
import Installation
import PhotoRecords
import Records
import ReviewWindow
import Videos

/// `bauta review`: looks through anonymised photographs and clips in a window.
enum ReviewCommand {
    private static let output = Option<FilePath>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "For a clip: the folder or file that bauta video writes to.")
    private static let sure = Flag("sure", help: "For a clip: show only what is certainly a face.")
    private static let careful = Flag("careful", help: "For a clip: also show doubtful places.")
    /// Those that only a clip gives a meaning.
    private static let ofClips: [any CommandOption] = [output, sure, careful] + ModelOptions.all

    static let definition = CommandDefinition(
        name: "review", overview: "Look through masked or anonymised photographs, or a video.",
        discussion: """
            Shows one photograph after the other, doubtful ones first, with what was covered or, of masked ones, the result; \
            C changes between photograph and result. Click a cover to take it away, drag \
            over a face that was missed, and press Space when all is right. Of a video, give the original: its faces are \
            shown on a time line, and a click takes the cover of a track away, up to the cuts. Space goes through the first, middle and \
            last frame of each track, doubtful tracks first. H shows all keys. Nothing is \
            changed at once: what you decide is kept in .bauta-review.json beside the results, and the next run of bauta photo or \
            bauta video --anonymise obeys it. What nobody uncovers stays covered.

            A photograph in which no face was found is shown, too: Space says that it shows nobody, and the next run writes it.
            """,
        arguments: [
            ArgumentDefinition(
                name: "folder|clip", help: "A folder of results of bauta photo, or a video.", takesPaths: true,
                kind: .clip)
        ],
        groups: [
            .output(output), .privacy(sure, careful), ModelOptions.group, .advanced(LiveOptions.scale),
        ],
        examples: [
            "bauta photo --anonymise Pictures -o Covered && bauta review Covered",
            "bauta review interview.mp4 -o Covered    # then bauta video --anonymise",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let path = arguments.paths[0]
        let data = try DataFolder.find()
        if Folder.exists(path) {
            for option in ofClips where arguments.has(option) {
                throw UsageError(
                    "--\(option.definition.name) is for a clip, but \(path) is a folder.", arguments.commandPath)
            }
            try reviewPhotographs(in: path, data, scale: arguments[LiveOptions.scale])
        } else {
            try reviewClip(path, data, arguments)
        }
        return .success
    }

    // MARK: What other commands say

    /// The command that looks through the results of `bauta photo`.
    static func words(for folder: FilePath) -> String { "bauta review \(folder.shellWord)" }

    /// The command that looks through a result of `bauta video --anonymise`, with the arguments of that.
    static func words(for clip: FilePath, result: FilePath, _ arguments: ParsedArguments) -> String {
        "bauta review\(optionWords(arguments)) \(clip.shellWord) -o \(result.shellWord)"
    }

    /// The options that decide what is found, which `bauta video` has, too: each with a space in front.
    private static func optionWords(_ arguments: ParsedArguments) -> String {
        arguments.words(of: [sure, careful] + ModelOptions.all).map { " " + FilePath($0).optionWord }.joined()
    }

    // MARK: Photographs

    private static func reviewPhotographs(in folder: FilePath, _ data: DataFolder, scale: Float?) throws {
        let photographs = try PhotoJournal.photographs(in: folder)
        guard !photographs.isEmpty else {
            if FaceSearchFile.exist(in: folder) {
                throw CommandFailure(
                    .noInput,
                    "\(folder): has results of bauta video; of a video, name the original: bauta review ORIGINAL -o "
                        + folder.shellWord)
            }
            throw CommandFailure(
                .noInput,
                "\(folder): there are no results of bauta photo in it, or no record of them (\(PhotoJournal.name)); name the "
                    + "folder that was its --output")
        }
        let file = try decisions(in: folder)
        let review = try PhotographReview(photographs, in: folder, file: file, data: data, scale: scale)
        let summary = try review.run { Interrupt.isRequested }
        Console.output(text(summary))
    }

    private static func text(_ summary: PhotographReview.Summary) -> String {
        guard summary.changed > 0 else { return "Nothing was decided.\n" }
        let all =
            "\(summary.reviewed) of \(count(summary.photographs, "photograph")) reviewed; "
            + "\(count(summary.uncovered, "face")) uncovered, \(count(summary.covered, "place")) covered\n"
        return all
            + "Run the same bauta photo command again to apply what was decided about \(count(summary.changed, "photograph")).\n"
            + (summary.changesMasks
                ? "Results of the window: open the same photographs in it again, choose the same masks and turns, and press "
                    + "Enter.\n"
                : "")
    }

    private static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    private static func decisions(in folder: FilePath) throws -> ReviewFile {
        do {
            return try ReviewFile(folder: folder, writes: true)
        } catch is ReviewFile.Held {
            throw CommandFailure(.busy, "\(folder): another bauta review is open on this folder; close it first")
        }
    }

    // MARK: Clips

    /// What was found in a clip before. Where that cannot be read, the clip is searched again.
    static func known(_ file: FaceSearchFile) -> FaceBoxSearch? {
        do throws(FileError) {
            return try file.read()
        } catch {
            Console.warning("\(error); faces are searched again")
            return nil
        }
    }

    static func keep(_ search: FaceBoxSearch, in file: FaceSearchFile) {
        do throws(FileError) {
            try file.write(search)
        } catch {
            Console.warning("\(error); the next review or run searches again")
        }
    }

    private static func reviewClip(_ clip: FilePath, _ data: DataFolder, _ arguments: ParsedArguments) throws {
        guard clip.exists else { throw CommandFailure(.noInput, "\(clip): there is no such folder or file") }
        InputFiles.protect(clip)
        let models = FaceModels(arguments)
        try MaskingOptions.checkFindsAllFaces(models, for: "bauta review")
        let thoroughness = try MaskingOptions.thoroughness(arguments, models)
        let target = arguments[output]
        let result = try VideoCommand.jobs([clip], into: target)[0].output
        try checkIsOriginal(clip, result: result)
        let information = try ClipInformation.read(clip)
        // Another file may take its place while it is read.
        let state = VideoMasker.state(of: clip)
        let checksum = try Checksum.ofFile(clip)
        let folder: FilePath = result.parent.isEmpty ? "." : result.parent
        try Folder.create(folder)
        let lastDecision = lastChange(of: folder / ReviewFile.name)
        var progress = SearchProgress(clip, information)
        let decisions = try decisions(in: folder)
        let search = VideoFaceSearch(models: models, thoroughness: thoroughness, frameLimit: nil)
        let searchFile = FaceSearchFile(folder: folder, checksum: checksum, settings: search.settings)
        let isSame = { @Sendable () -> Bool in VideoMasker.state(of: clip) == state }
        let clipSearch = ClipSearch(search, clip, information, known: isSame() ? known(searchFile) : nil) {
            if isSame() { keep($0, in: searchFile) }
        }
        let review = try ClipReview(
            clip, information, result: result.name, checksum: checksum, file: decisions,
            search: clipSearch,
            data: data, scale: arguments[LiveOptions.scale], progress: { progress.note($0) })
        let summary = try review.run { Interrupt.isRequested }
        StatusLine.remove()
        guard summary.hasChanged else { return Console.output("Nothing was decided.\n") }
        // Other options of the run that made the result, such as --sound none, are not known here.
        let isCurrent = !summary.changesCovers && result.exists && lastDecision < lastChange(of: result)
        let advice =
            if isCurrent {
                "No cover was changed: \(result) needs no new run, if it was made after the last change and with the same "
                    + "options.\n"
            } else if result.exists {
                "Run the same bauta video --anonymise command again, with --force, to replace \(result).\n"
            } else {
                "To apply it, run:\n  bauta video --anonymise\(optionWords(arguments)) \(clip.shellWord) "
                    + "-o \(target.shellWord)\n"
            }
        Console.output(
            (summary.isReviewed ? "Reviewed; " : "")
                + "\(count(summary.uncovered, "track")) uncovered, \(count(summary.covered, "place")) covered. \(advice)"
        )
    }

    /// When a file was changed last, in seconds and nanoseconds; 0 if it is not there.
    private static func lastChange(of file: FilePath) -> (seconds: Int, nanoseconds: Int) {
        file.status().map { (Int($0.st_mtim.tv_sec), Int($0.st_mtim.tv_nsec)) } ?? (0, 0)
    }

    /// Refuses a result in the place of its original: its faces are covered.
    /// - Parameter result: that of the clip, if it is an original.
    private static func checkIsOriginal(_ clip: FilePath, result: FilePath) throws(CommandFailure) {
        let command = "bauta review ORIGINAL -o \(clip.shellWord)"
        // Decisions are about results.
        let isReviewed = (try? ReviewFile(folder: clip.parent))?.knows(clip.name) == true
        guard !isReviewed, !clip.isSameFile(as: result) else {
            throw CommandFailure(
                .usage, "\(clip): seems to be a result of bauta video; name the video it was made from: \(command)")
        }
        if FaceSearchFile.exist(in: clip.parent) {
            Console.warning("\(clip): lies among results of bauta video; if it is one of them: \(command)")
        }
    }
}

/// The progress of the search in a clip, on standard error.
private struct SearchProgress {
    private let clip: FilePath
    private let total: Int?
    private var line = StatusLine(interval: .milliseconds(200))
    private let start = ContinuousClock.now

    init(_ clip: FilePath, _ information: ClipInformation) { (self.clip, total) = (clip, information.frameCount) }

    mutating func note(_ frames: Int) {
        guard Console.errorIsTerminal else { return }
        let (elapsed, clip, total): (Double, FilePath, Int?) = (
            (ContinuousClock.now - start) / .seconds(1), clip, total
        )
        line.draw { columns in
            VideoProgress.line(
                input: "looking for faces in \(clip)", frames: frames, seconds: 0, total: total, duration: nil,
                elapsed: elapsed, columns: columns)
        }
    }
}

extension FilePath {
    /// As `shellWord`, but an option stays one.
    fileprivate var optionWord: String { bytes.first == UInt8(ascii: "-") ? description : shellWord }
}
