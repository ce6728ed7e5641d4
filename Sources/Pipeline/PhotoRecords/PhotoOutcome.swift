import FaceGeometry
import Files
import ImageFiles

/// The result of masking one photograph.
package struct PhotoOutcome: Sendable {
    package enum Status: String, Sendable {
        case masked
        case noFace
        case failed
        /// Found in a folder, and a picture neither by its content nor by its name.
        case ignored
    }

    /// The kind of error with which a photograph failed.
    package enum Failure: CaseIterable, Sendable {
        case unreadable
        /// It is there, but reading it failed.
        case disk
        /// It became another while it was masked.
        case changed
        /// No picture, or of a format or a size that is not read.
        case format
        case damaged
        /// For the memory that may be used, or that there is.
        case tooLarge
        /// There is a file in the place of the result.
        case existing
        /// The result would overwrite an input or another result.
        case clash
        /// It shows no face, which was not accepted.
        case noFace
        case unwritable
        case other

        /// Whether the photograph is not the reason, so that another try may succeed.
        package var isOfMachine: Bool { [.disk, .changed, .tooLarge, .unwritable].contains(self) }
    }

    package var input: FilePath
    /// Nil when nothing was written.
    package var output: FilePath?
    package var status: Status
    /// Whether it was done in an earlier run, and nothing was done now.
    package var isFromEarlierRun = false
    /// The findings of that run, instead of `faces` and `unsureFaces`; nil if unknown.
    package var earlierFindings: PhotoFindings?
    /// Of the photograph, in pixels; nil if it could not be read.
    package var width: Int?
    package var height: Int?
    /// The chosen faces, largest first.
    package var faces: [Face] = []
    /// Whether masks found no other face to show: all of them, and the faces stay unmasked; with `--no-face skip`, `blur` and
    /// `fail` any of them, since a face that is only made large is recognised.
    package var isAlone = false
    /// Whether nothing is drawn on any of the faces: each wears none by a person's choice, or a mask that found no other face to
    /// show.
    package var isBare = false
    /// How many other faces were left as they are on purpose.
    package var spared = 0
    /// Uncertain detections, which were covered, too.
    package var unsureFaces: [UnsureFace] = []
    /// What a person's decisions have changed.
    package var review = PhotoReview()
    /// How much a person should look at the result, 0…1: 1 where no face was found or one is unmasked, 0 if it is
    /// blurred then or reviewed, above 0.6 where something is only perhaps a face; nil if the photograph could not be read.
    package var doubt: Double?
    /// Of the photograph, and of the result. Nil if they were not asked for, or could not be made.
    package var thumbnailBefore: Thumbnail?
    package var thumbnailAfter: Thumbnail?
    package var times = PhotoTimes()
    /// Why it failed or was ignored: a sentence for the user.
    package var error: String?
    /// Set if it failed.
    package var failure: Failure?

    /// The findings of this or an earlier run; nil if unknown.
    package var findings: PhotoFindings? { isFromEarlierRun ? earlierFindings : PhotoFindings(self) }

    package init(input: FilePath, output: FilePath?, status: Status) {
        self.input = input
        self.output = output
        self.status = status
    }

    package mutating func fail(_ failure: Failure, _ error: String) {
        status = .failed
        self.failure = failure
        self.error = error
    }
}

extension PhotoOutcome.Failure {
    package init(_ kind: PictureError.Kind) {
        self =
            switch kind {
            case .unreadable: .unreadable
            case .notAPicture, .video, .unsupported, .tooLarge: .format
            case .damaged: .damaged
            case .outOfMemory: .tooLarge
            case .wouldOverwrite: .existing
            // It cannot be encoded. What cannot be written is a file's error.
            case .unwritable: .other
            }
    }
}

extension PhotoOutcome.Failure {
    /// - Parameter isReadable: whether the photograph is there, and may be read.
    package init(_ error: FileError, isReadable: Bool) {
        self =
            switch error.kind {
            case .unreadable: isReadable ? .disk : .unreadable
            case .isFolder: .unreadable
            case .damaged: .damaged
            case .tooLarge: .format
            case .alreadyExists: .existing
            case .unwritable: .unwritable
            case .changed: .changed
            }
    }
}

/// How long each stage of masking a photograph took.
package struct PhotoTimes: Sendable {
    package enum Stage: String, CaseIterable, Sendable {
        /// Reading the file.
        case read
        case decode
        case detect
        case landmarks
        /// Waiting for the thread that draws all masks.
        case wait
        /// Drawing.
        case render
        /// Adapting EXIF and the like to the masked picture.
        case metadata
        case encode
        /// Writing the file, and its line in the journal.
        case write
    }

    private var durations = [Duration](repeating: .zero, count: Stage.allCases.count)

    package subscript(stage: Stage) -> Duration {
        get { durations[Self.place(stage)] }
        set { durations[Self.place(stage)] = newValue }
    }

    private static func place(_ stage: Stage) -> Int { Stage.allCases.firstIndex(of: stage) ?? 0 }

    /// The time since an instant is that of a stage, and the next one begins now.
    package mutating func end(_ stage: Stage, since start: inout ContinuousClock.Instant) {
        let now = ContinuousClock.now
        self[stage] = now - start
        start = now
    }
}
