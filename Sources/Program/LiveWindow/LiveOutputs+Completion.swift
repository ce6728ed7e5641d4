import Clips
import Files
import FrameProcessing
import Threads

/// Outputs are completed on threads of their own, so that the picture goes on meanwhile.
extension LiveOutputs {
    enum Kind {
        case recording, target, virtualCamera
    }

    /// An output that takes no more frames and is being completed.
    struct Completion {
        let running: Running
        let kind: Kind
        /// Why the session ends it early; nil: the user or the session's end.
        let reason: String?
        let since = ContinuousClock.now
        /// Nil: the caller has completed it, because the system gives no more threads.
        fileprivate let thread: DedicatedThread.Handle?
        fileprivate let outcome: Mailbox<SinkThread.Outcome>
    }

    /// The output that is being completed; nil: none that takes noticeably long.
    var completingName: String? {
        completing.first { .now - $0.since > .milliseconds(300) }.map { $0.running.name ?? "a recording" }
    }

    /// Whether a recording is being completed.
    var isCompletingRecording: Bool { completing.contains { $0.kind == .recording } }

    /// Begins to complete an output, which takes 20 seconds at most.
    func complete(_ running: Running, as kind: Kind, reason: String?) {
        let outcome = Mailbox<SinkThread.Outcome>()
        let thread = DedicatedThread.startOrRun { [sink = running.sink] in
            _ = outcome.replace(sink.finish(within: 20))
        }
        completing.append(
            Completion(running: running, kind: kind, reason: reason, thread: thread, outcome: outcome))
    }

    /// Reports the outputs that have been completed.
    /// - Parameter waiting: whether to wait for all of them.
    func reportCompleted(waiting: Bool = false) {
        var rest: [Completion] = []
        for completion in completing {
            guard let outcome = completion.outcome.take(waiting: waiting ? nil : 0) else {
                rest.append(completion)
                continue
            }
            completion.thread?.join()
            report(completion, outcome)
        }
        completing = rest
    }

    private func report(_ completion: Completion, _ outcome: SinkThread.Outcome) {
        // Without a name, there is no file, and the failure says why.
        let known = completion.running.name
        if let known { writtenFrames.append((known, outcome.writtenFrames)) }
        let name = known ?? "The recording"
        let wasAskedFor =
            switch completion.kind {
            case .recording: settings.recordsAtOnce
            case .target: true
            case .virtualCamera: settings.virtualCamera != nil
            }
        // Of the last one: the next may have begun before this one was complete.
        if completion.kind == .recording { recordingFailure = outcome.failure.map { "\($0)" } }
        if let error = outcome.failure {
            // Of a virtual camera that has been turned on in the panel, the session goes on without.
            if wasAskedFor { failure = failure ?? error }
            if completion.kind == .virtualCamera { virtualCamera = nil }
            say("\(error)")
        } else if outcome.writtenFrames == 0 {
            say("\(name): nothing was written, because it ended before the first frame")
        } else if let reason = completion.reason, !StopSignal.program.isStopped {
            say("\(name): stopped, because \(reason)")
        } else if completion.kind == .recording || (completion.kind == .target && writesFile) {
            say("Saved \(name)")
        }
    }
}
