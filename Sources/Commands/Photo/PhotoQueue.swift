import CommandLine
import Masking
import Synchronization

/// Hands jobs to the worker threads and reports the outcomes.
final class PhotoQueue: Sendable {
    private struct State: ~Copyable {
        var next = 0
        /// Nil unless the report lists what was not done.
        var isDone: [Bool]?
        var display: ProgressDisplay
        var report: PhotoReport?
        var sheet: ContactSheet?
        var failure: (any Error)?
    }

    private let jobs: [PhotoJob]
    private let state: Mutex<State>

    /// - Parameter listsRest: whether photographs that an interrupted run has not done get lines in the report.
    init(
        jobs: [PhotoJob], display: ProgressDisplay, report: PhotoReport?, sheet: ContactSheet? = nil,
        listsRest: Bool = false
    ) {
        self.jobs = jobs
        let isDone = listsRest ? [Bool](repeating: false, count: jobs.count) : nil
        state = Mutex(State(isDone: isDone, display: display, report: report, sheet: sheet))
    }

    /// Does jobs until none is left, or an error concerns all of them. Runs on a worker thread.
    func work(studio: PhotoStudio, options: PhotoOptions) {
        do {
            let masker = try PhotoMasker(studio: studio, options: options)
            while let index = nextJob() { note(try masker.process(jobs[index]), index) }
        } catch {
            state.withLock { state in
                if state.failure == nil { state.failure = error }
            }
        }
    }

    private func nextJob() -> Int? {
        if Interrupt.isRequested { return nil }
        return state.withLock { state in
            guard state.failure == nil, state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func note(_ outcome: PhotoOutcome, _ index: Int) {
        state.withLock { state in
            state.display.note(outcome)
            do {
                try state.report?.append(outcome)
                state.isDone?[index] = true
                try state.sheet?.add(outcome)
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
            try? finishFiles(&state)
        }
    }

    private func finishFiles(_ state: inout State) throws {
        for (index, isDone) in (state.isDone ?? []).enumerated() where !isDone {
            try state.report?.append(PhotoReport.notDone(jobs[index].input))
        }
        try state.report?.finish()
        try state.sheet?.finish(summary: state.display.line)
    }

    func finish() throws -> ExitCode {
        try state.withLock { state in
            let isInterrupted = Interrupt.isRequested && state.display.counts.done < jobs.count
            state.display.finish(interrupted: isInterrupted)
            do {
                try finishFiles(&state)
            } catch {
                if state.failure == nil { state.failure = error }
            }
            if let failure = state.failure as? PhotoReport.WritingFailure {
                throw failure.commandFailure(unprocessed: jobs.count - state.display.counts.done)
            }
            if let failure = state.failure { throw failure }
            if isInterrupted { return .interrupted }
            return state.display.counts.failed > 0 ? .someFailed : .success
        }
    }
}
