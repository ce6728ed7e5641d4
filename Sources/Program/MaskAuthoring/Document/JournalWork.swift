import Files
import Threads

/// Writes journals on a thread of its own, one after another: the window does not wait for the compression of pictures.
final class JournalWork {
    private let work = BackgroundWork()
    /// The state that was handed over last, and when; nil: none was.
    var last: (revision: Int, time: ContinuousClock.Instant)?
    /// How long the last one has taken.
    private(set) var duration = Duration.zero
    private var failure: String?

    /// Whether one is being written.
    var isBusy: Bool { work.isBusy }

    func add(_ write: @escaping @Sendable () throws -> Void) {
        work.add {
            let start = ContinuousClock.now
            let failure = Result { try write() }.failureText
            return (failure, ContinuousClock.now - start)
        } finish: { [weak self] (failure: String?, duration: Duration) in
            self?.failure = failure
            self?.duration = duration
        }
    }

    /// Does not wait.
    /// - Parameter report: is told why the last one could not be written.
    func handBack(_ report: (String) -> Void) {
        work.handBack()
        if let failure { report(failure) }
        failure = nil
    }

    func finish() { work.finish() }
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
