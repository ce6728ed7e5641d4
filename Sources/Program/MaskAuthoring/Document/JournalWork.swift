import Files
import Threads

/// Writes journals on a thread of its own, one after another: the window does not wait for the compression of pictures.
final class JournalWork {
    private let work = BackgroundWork()
    /// The revision that the disk has; nil: none of this run.
    private(set) var written: Int?
    /// The one that was handed over last, and when; nil: none was.
    private var begun: (revision: Int, time: ContinuousClock.Instant)?
    /// Why that could not be written, to be reported.
    private var failure: String?
    /// The revision whose failure was reported last: that of another try is not.
    private var reported: Int?
    /// Whether the user has discarded everything: nothing more is written.
    var isDiscarded = false

    /// Between two states during an edit.
    private static let pause = Duration.milliseconds(500)
    /// Before a state that could not be written is tried again.
    private static let patience = Duration.seconds(2)

    /// Whether a revision that is not `written` may be handed over now.
    func canTake(_ revision: Int, isEditing: Bool) -> Bool {
        guard !work.isBusy else { return false }
        guard let begun else { return true }
        let pause = begun.revision == revision ? Self.patience : isEditing ? Self.pause : .zero
        return ContinuousClock.now - begun.time >= pause
    }

    func add(_ revision: Int, _ write: @escaping @Sendable () throws -> Void) {
        begun = (revision, .now)
        work.add {
            Result { try write() }.failureText
        } finish: { [weak self] (failure: String?) in
            self?.failure = failure
            if failure == nil { self?.written = revision }
        }
    }

    /// Does not wait.
    /// - Parameter report: is told why a state could not be written, once for each.
    func handBack(_ report: (String) -> Void) {
        work.handBack()
        guard let failure else { return }
        self.failure = nil
        if reported != begun?.revision { report(failure) }
        reported = begun?.revision
    }

    /// Waits until nothing is being written any more. The caller then decides about the file.
    func finish() {
        work.finish()
        // Its last steps, too: the program may end.
        work.stop()
        failure = nil
    }

    /// There is another file.
    func startAnew() { (written, begun, reported) = (nil, nil, nil) }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate var failureText: String? {
        if case .failure(let error) = self { "\(error)" } else { nil }
    }
}

/// What is not saved, to be written on any thread.
struct UnsavedState: Sendable {
    let document: MaskDocument
    /// What the brush has changed, by file, with what shows the file; nil: nothing does, so that the whole picture is kept.
    let strokes: [(name: FilePath, matte: Matte, file: Matte?)]

    func write(to journal: EditJournal) throws {
        var mattes: [FilePath: JournaledMatte] = [:]
        for stroke in strokes {
            mattes[stroke.name] =
                try stroke.file.map { try JournaledMatte(stroke.matte, on: $0) } ?? JournaledMatte(whole: stroke.matte)
        }
        try journal.write(document, mattes)
    }
}
