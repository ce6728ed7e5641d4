import Clips
import FaceTracking
import Files
import Records
import Synchronization
import Threads
import Videos

/// Finds the faces of a clip on a thread of its own. What was found once is only followed then, with new marks.
package final class ClipSearch {
    typealias Outcome = Result<FaceBoxSearch?, any Error>

    private final class Progress: Sendable {
        let count = Atomic<Int>(0)
        let isCancelled = Atomic<Bool>(false)
    }

    private let search: VideoFaceSearch
    private let clip: FilePath
    private let information: ClipInformation
    private let work = BackgroundWork()
    private let progress = Progress()
    private let keep: @Sendable (FaceBoxSearch) -> Void
    private var outcome: Outcome?
    /// What was found last.
    private(set) var known: FaceBoxSearch?
    private(set) var isRunning = false

    /// - Parameters:
    ///   - search: as `bauta video` does it, with the same settings.
    ///   - known: what it has found before; nil: it begins with a search.
    ///   - keep: is called with what was found, on the thread that has found it.
    package init(
        _ search: VideoFaceSearch, _ clip: FilePath, _ information: ClipInformation, known: FaceBoxSearch?,
        keep: @escaping @Sendable (FaceBoxSearch) -> Void
    ) {
        (self.search, self.clip, self.information) = (search, clip, information)
        (self.known, self.keep) = (known, keep)
    }

    /// How many frames were searched.
    var count: Int { progress.count.load(ordering: .relaxed) }

    /// Begins a search that follows added and confirmed faces. Uncovered ones are found, too.
    func start(_ decisions: ReviewDecisions) {
        isRunning = true
        progress.count.store(0, ordering: .relaxed)
        let corrections = FaceBoxCorrections(decisions)
        work.add { [search, clip, information, progress, corrections, known, keep] () -> Outcome in
            Result {
                let found = try search.found(
                    in: clip, information, corrections: corrections, known: known,
                    isCancelled: { progress.isCancelled.load(ordering: .relaxed) },
                    progress: { _ in progress.count.add(1, ordering: .relaxed) })
                if let found { keep(found) }
                return found
            }
        } finish: { [self] in
            outcome = $0
        }
    }

    /// - Returns: nil while it is searched.
    func take() -> Outcome? {
        work.handBack()
        guard let result = outcome else { return nil }
        (outcome, isRunning) = (nil, false)
        if case .success(let found?) = result { known = found }
        return result
    }

    /// Ends the search, and waits for that.
    func stop() {
        progress.isCancelled.store(true, ordering: .relaxed)
        work.stop()
    }
}
