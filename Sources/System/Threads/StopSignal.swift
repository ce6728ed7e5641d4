import Dispatch
import Synchronization

/// Asks threads to end, including those that sleep or wait for something else.
package final class StopSignal: Sendable {
    private struct State {
        var isStopped = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    package func stop() {
        let handlers = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped ? [] : Array(state.handlers.values)
        }
        for handler in handlers { handler() }
        semaphore.signal()
    }

    /// Sleeps until the time is over or the signal stops.
    /// - Returns: false if the signal has stopped.
    package func sleep(seconds: Double) -> Bool {
        guard !isStopped else { return false }
        guard seconds > 0 else { return true }
        if semaphore.wait(timeout: .now() + seconds) == .success {
            // Wakes the next sleeping thread.
            semaphore.signal()
            return false
        }
        return !isStopped
    }

    /// Runs a handler when the signal stops, at once if it has stopped.
    /// - Returns: the handler's number, for `forget`.
    package func onStop(_ handler: @escaping @Sendable () -> Void) -> Int {
        let (number, isStopped) = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return (state.next, state.isStopped)
        }
        if isStopped { handler() }
        return number
    }

    package func forget(_ number: Int) { state.withLock { _ = $0.handlers.removeValue(forKey: number) } }
}
