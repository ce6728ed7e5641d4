import Clips
import FaceTracking
import Files
import Records
import Synchronization
import Threads
import Videos

/// Finds the faces of a clip on a thread of its own.
final class ClipSearch {
    typealias Outcome = Result<VideoFaceSearch.Found?, any Error>

    private final class Progress: Sendable {
        let count = Atomic<Int>(0)
        let isCancelled = Atomic<Bool>(false)
    }

    private let search: VideoFaceSearch
    private let clip: FilePath
    private let information: ClipInformation
    private let work = BackgroundWork()
    private let progress = Progress()
    private var outcome: Outcome?
    private(set) var isRunning = false

    init(_ search: VideoFaceSearch, _ clip: FilePath, _ information: ClipInformation) {
        (self.search, self.clip, self.information) = (search, clip, information)
    }

    /// How many frames were searched.
    var count: Int { progress.count.load(ordering: .relaxed) }

    /// Begins a search that follows added and confirmed faces. Uncovered ones are found, too.
    func start(_ decisions: ReviewDecisions) {
        isRunning = true
        progress.count.store(0, ordering: .relaxed)
        var corrections = FaceBoxCorrections(decisions)
        corrections.removed = []
        work.add { [search, clip, information, progress, corrections] () -> Outcome in
            Result {
                try search.found(
                    in: clip, information, corrections: corrections,
                    isCancelled: { progress.isCancelled.load(ordering: .relaxed) },
                    progress: { progress.count.add(1, ordering: .relaxed) })
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
        return result
    }

    /// Ends the search, and waits for that.
    func stop() {
        progress.isCancelled.store(true, ordering: .relaxed)
        work.stop()
    }
}
