import Threads

/// The thread of an engine on which pictures are masked. All calls come from one thread at a time.
final class FrameWorker: Sendable {
    private let jobs = Mailbox<FrameJob>()
    private let results = Mailbox<FrameResult>()
    private let thread: DedicatedThread.Handle

    /// - Parameter makePainter: is called on the thread.
    /// - Throws: `NoThread`.
    init(_ makePainter: @escaping @Sendable () -> FramePainter) throws(NoThread) {
        thread = try DedicatedThread.start { [jobs, results] in
            let painter = makePainter()
            while let job = jobs.take(waiting: nil) { _ = results.replace(painter.process(job)) }
        }
    }

    /// Masks a picture and waits for it. Results of earlier pictures are dropped.
    /// - Returns: nil: the thread has ended.
    func finish(_ job: FrameJob) -> FrameResult? {
        guard jobs.put(job) else { return nil }
        while let result = results.take(waiting: nil) { if result.number == job.number { return result } }
        return nil
    }

    /// Masks a picture without waiting for it.
    /// - Returns: one that still waited, and is left out.
    func begin(_ job: FrameJob) -> FrameJob? { jobs.replace(job) }

    /// The picture that has been finished last, unless it has been taken. Does not wait.
    func takeFinished() -> FrameResult? { results.take(waiting: 0) }

    /// Waits for the picture that is being masked, and for the end of the thread.
    func stop() {
        jobs.close()
        // What still waits need not be masked.
        _ = jobs.take(waiting: 0)
        thread.join()
    }
}
