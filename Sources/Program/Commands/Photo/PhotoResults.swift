import Arguments
import PhotoRecords
import Synchronization

/// Takes the outcomes of all threads: shows progress, and writes the report and the contact sheet.
final class PhotoResults: Sendable {
    private struct State {
        /// Nil unless this is a shard, whose report lists what was not done.
        var isDone: [Bool]?
        var display: ProgressDisplay
    }

    private let jobs: [PhotoJob]
    private let report: PhotoReport?
    private let sheet: ContactSheet?
    private let state: Mutex<State>

    /// - Parameter isShard: whether photographs that an interrupted run has not done get lines in the report, and the exit
    ///   status says whether another try may do more.
    init(
        jobs: [PhotoJob], display: ProgressDisplay, report: PhotoReport?, sheet: ContactSheet? = nil,
        isShard: Bool = false
    ) {
        self.jobs = jobs
        let isDone = isShard ? [Bool](repeating: false, count: jobs.count) : nil
        self.report = report
        self.sheet = sheet
        state = Mutex(State(isDone: isDone, display: display))
    }

    /// Takes an outcome in, on any thread.
    /// - Throws: `PhotoReport.WritingFailure` and `FileError` if it cannot be written down.
    func note(_ outcome: PhotoOutcome, _ index: Int) throws {
        // What takes long is done beside other threads.
        let line = report?.line(outcome)
        try state.withLock { state in
            state.display.note(outcome)
            if let line { try report?.append(line) }
            state.isDone?[index] = true
        }
        try sheet?.add(outcome)
    }

    /// `finish` for an interrupted process that ends while threads still work: unless one of them holds the
    /// lock.
    func abandon() {
        _ = state.withLockIfAvailable { state in
            state.display.finish(interrupted: true)
            try? finishFiles(&state)
        }
    }

    private func finishFiles(_ state: inout State) throws {
        for (index, isDone) in (state.isDone ?? []).enumerated() where !isDone {
            try report?.append(PhotoReport.notDone(jobs[index].input))
        }
        try report?.finish()
        try sheet?.finish(summary: state.display.line)
    }

    /// Ends display and files.
    /// - Parameter failure: what ended the work early.
    /// - Throws: the failure, or what is wrong with the files.
    func finish(_ failure: (any Error)?) throws -> ExitCode {
        try state.withLock { state in
            let isInterrupted = Interrupt.isRequested && state.display.counts.done < jobs.count
            state.display.finish(interrupted: isInterrupted)
            var failure = failure
            // A report that ends within a line would be no report. The journal has the results.
            if !(failure is PhotoReport.WritingFailure) {
                do {
                    try finishFiles(&state)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure = failure as? PhotoReport.WritingFailure {
                throw failure.commandFailure(unprocessed: jobs.count - state.display.counts.done)
            }
            if let failure { throw failure }
            if isInterrupted { return .interrupted }
            if state.isDone != nil, state.display.mayTryAgain { return .ioError }
            return state.display.counts.failed > 0 ? .someFailed : .success
        }
    }
}
