import Dispatch
import Synchronization

/// Asks threads to end, also those that sleep or wait for something else.
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

    /// Sleeps, but not beyond a stop.
    /// - Returns: whether to go on.
    package func sleep(seconds: Double) -> Bool {
        guard !isStopped else { return false }
        guard seconds > 0 else { return true }
        if semaphore.wait(timeout: .now() + seconds) == .success {
            // For the next one who sleeps.
            semaphore.signal()
            return false
        }
        return !isStopped
    }

    /// Does something on a stop, at once if there has been one.
    /// - Returns: what `forget` takes.
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
