import Glibc
import Synchronization

/// Does pieces of work one after another on a thread of its own, and hands each result back to the thread that asked for it:
/// for what waits for a disk, a process or a network where the asking thread must not. Adding never waits. The thread runs
/// while there is work.
package final class BackgroundWork {
    private let queue = Queue()
    /// For the work whose result has not been handed back: returns whether it is.
    private var answers: [() -> Bool] = []

    package init() {}

    /// Whether a result has not been handed back.
    package var isBusy: Bool { !answers.isEmpty }

    /// - Parameters:
    ///   - work: is done on the other thread, after all that has been added before.
    ///   - finish: gets its result, in `handBack` or `finish`.
    package func add<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, finish: @escaping (Value) -> Void = { (_: Value) in }
    ) {
        let result = Mailbox<Value>()
        answers.append {
            guard let value = result.take(waiting: 0) else { return false }
            finish(value)
            return true
        }
        queue.add { _ = result.replace(work()) }
    }

    /// Hands back the results that have come since the last call. Does not wait.
    package func handBack() {
        // What `finish` adds comes behind these.
        let waiting = answers
        answers = []
        answers = waiting.filter { !$0() } + answers
    }

    /// Waits until everything has been done, and hands the results back.
    package func finish() {
        while isBusy {
            queue.wait()
            handBack()
        }
    }

    /// The same, but ends as soon as `isCancelled` is true, which is called several times a second.
    package func finish(unless isCancelled: () -> Bool) {
        while isBusy && !isCancelled() {
            usleep(10_000)
            handBack()
        }
    }

    /// Waits for what is being done. Work that has not started is left out, and no more results are delivered.
    package func stop() {
        abandon()
        queue.wait()
    }

    /// The same without waiting: `isWorking` says when the thread has ended.
    package func abandon() {
        answers = []
        queue.clear()
    }

    /// Whether something is being done, or is to be.
    package var isWorking: Bool { queue.isRunning }

    /// State shared with the thread.
    private final class Queue: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Void] = []
            /// Nil: nothing has been added yet.
            var thread: DedicatedThread.Handle?
            var isRunning = false
        }

        private let state = Mutex(State())

        func add(_ work: @escaping @Sendable () -> Void) {
            let mustStart = state.withLock { state in
                state.waiting.append(work)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard mustStart else { return }
            // Without another thread the caller has to wait.
            let thread = DedicatedThread.startOrRun { [self] in
                while let work = next() { work() }
            }
            state.withLock { $0.thread = thread }
        }

        /// - Returns: nil: the thread is to end.
        private func next() -> (@Sendable () -> Void)? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
        }

        func clear() { state.withLock { $0.waiting = [] } }

        var isRunning: Bool { state.withLock { $0.isRunning } }

        /// Waits for the end of the thread.
        func wait() { state.withLock { $0.thread }?.wait() }
    }
}
