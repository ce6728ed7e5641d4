import CommandLine
import Masking
import Synchronization

/// Hands jobs to the worker threads and reports the outcomes.
final class PhotoQueue: Sendable {
    private struct State: ~Copyable {
        var next = 0
        var display: ProgressDisplay
        var report: PhotoReport?
        var failure: (any Error)?
    }

    private let jobs: [PhotoJob]
    private let state: Mutex<State>

    init(jobs: [PhotoJob], display: ProgressDisplay, report: PhotoReport?) {
        self.jobs = jobs
        state = Mutex(State(display: display, report: report))
    }

    /// Does jobs until none is left, or an error concerns all of them. Runs on a worker thread.
    func work(studio: PhotoStudio, options: PhotoOptions) {
        do {
            let masker = try PhotoMasker(studio: studio, options: options)
            while let job = nextJob() { note(try masker.process(job)) }
        } catch {
            state.withLock { state in
                if state.failure == nil { state.failure = error }
            }
        }
    }

    private func nextJob() -> PhotoJob? {
        if Interrupt.isRequested { return nil }
        return state.withLock { state in
            guard state.failure == nil, state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return jobs[state.next]
        }
    }

    private func note(_ outcome: PhotoOutcome) {
        state.withLock { state in
            state.display.note(outcome)
            do {
                try state.report?.append(outcome)
            } catch {
                if state.failure == nil { state.failure = error }
            }
        }
    }

    /// What `finish` does, for an interrupted process that ends while threads still work: unless one of them holds the
    /// queue.
    func abandon() {
        _ = state.withLockIfAvailable { state in
            state.display.finish(interrupted: true)
            try? state.report?.finish()
        }
    }

    func finish() throws -> ExitCode {
        try state.withLock { state in
            let isInterrupted = Interrupt.isRequested && state.display.counts.done < jobs.count
            state.display.finish(interrupted: isInterrupted)
            try state.report?.finish()
            if let failure = state.failure as? PhotoReport.WritingFailure {
                throw failure.commandFailure(unprocessed: jobs.count - state.display.counts.done)
            }
            if let failure = state.failure { throw failure }
            if isInterrupted { return .interrupted }
            return state.display.counts.failed > 0 ? .someFailed : .success
        }
    }
}
