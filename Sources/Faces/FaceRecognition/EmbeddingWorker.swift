import Synchronization
import Threads
import Vision

/// Describes one face after another, on a thread of its own or on the caller's.
final class EmbeddingWorker {
    /// A described face, with the number that it was given.
    struct Answer: Sendable {
        let number: Int
        /// Nil: this face cannot be described.
        let embedding: FaceEmbedding?
    }

    private struct Job: Sendable {
        let number: Int
        let chip: FaceChip
    }

    private struct State: Sendable {
        var answers: [Answer] = []
        var isBusy = false
        var failure: VisionError?
    }

    /// State that both threads use.
    private final class Shared: Sendable {
        let embedder: FaceEmbedder
        let state = Mutex(State())
        let jobs = Mailbox<Job>()

        init(_ embedder: FaceEmbedder) { self.embedder = embedder }

        func work(_ job: Job) {
            let result = Result { () throws(VisionError) in try embedder.embedding(of: job.chip) }
            state.withLock { state in
                state.isBusy = false
                switch result {
                case .success(let embedding): state.answers.append(Answer(number: job.number, embedding: embedding))
                case .failure(let error) where error.kind == .failed:
                    state.answers.append(Answer(number: job.number, embedding: nil))
                case .failure(let error): state.failure = error
                }
            }
        }
    }

    private let shared: Shared
    /// Nil: the caller describes the faces, also where the system gives no more threads.
    private let thread: DedicatedThread.Handle?

    init(_ embedder: FaceEmbedder, waits: Bool) {
        let shared = Shared(embedder)
        self.shared = shared
        thread =
            waits
            ? nil
            : try? DedicatedThread.start {
                // Frames come first.
                DedicatedThread.lowerPriorityOfCaller()
                while let job = shared.jobs.take(waiting: nil) { shared.work(job) }
            }
    }

    deinit {
        shared.jobs.close()
        thread?.join()
    }

    var isBusy: Bool { shared.state.withLock { $0.isBusy } }

    /// Begins to describe a face. Not while it is busy.
    func start(_ chip: FaceChip, for number: Int) throws(VisionError) {
        let job = Job(number: number, chip: chip)
        shared.state.withLock { $0.isBusy = true }
        if thread == nil { shared.work(job) } else { _ = shared.jobs.replace(job) }
    }

    /// The faces that have been described since the last call.
    /// - Throws: an error that concerns more than one face.
    func takeAnswers() throws(VisionError) -> [Answer] {
        let (answers, failure) = shared.state.withLock { state in
            defer { (state.answers, state.failure) = ([], nil) }
            return (state.answers, state.failure)
        }
        if let failure { throw failure }
        return answers
    }
}
