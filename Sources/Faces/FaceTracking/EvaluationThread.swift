import LandmarkModels
import Threads

/// Evaluates what landmark models have prepared, on a thread that is started when it is needed for the first time; what it has
/// not begun when the result is needed, the caller does. The result does not depend on that.
final class EvaluationThread {
    /// State that both threads share. Between `start` and `finish`, nobody changes it, and each evaluation is used by
    /// one of them.
    private final class Job: @unchecked Sendable {
        var evaluations: [PreparedEvaluation] = []
    }

    private let job = Job()
    private let threads: Int
    private lazy var team = ThreadTeam(count: threads) { [job] index, _ in job.evaluations[index].evaluate() }

    /// - Parameters:
    ///   - threads: with the caller's, 1 or 2.
    ///   - capacity: of evaluations at the same time.
    init(threads: Int, capacity: Int) {
        self.threads = threads
        job.evaluations.reserveCapacity(capacity)
    }

    func start(_ evaluation: PreparedEvaluation) {
        job.evaluations.append(evaluation)
        start(after: .zero)
    }

    /// Begins to evaluate what the tracks await.
    /// - Parameter delay: before the other thread begins.
    func start(_ tracks: [FaceTrack], after delay: Duration) {
        for track in tracks { if let awaited = track.follower.awaitedEvaluation { job.evaluations.append(awaited) } }
        start(after: delay)
    }

    private func start(after delay: Duration) {
        if threads > 1, !job.evaluations.isEmpty { team.start(job.evaluations.count, after: delay) }
    }

    /// Waits until everything is evaluated. Until then, nobody else may use what was started.
    func finish() {
        guard !job.evaluations.isEmpty else { return }
        if threads > 1 { team.finish() } else { for evaluation in job.evaluations { evaluation.evaluate() } }
        job.evaluations.removeAll(keepingCapacity: true)
    }
}
