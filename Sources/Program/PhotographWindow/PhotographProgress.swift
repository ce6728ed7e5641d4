import Synchronization

/// How far the photographs are masked, and what has become of them. Any thread may read and change it.
package final class PhotographProgress: Sendable {
    private struct State {
        var done = 0
        var total: Int
        var isStopped = false
        var results: PhotographResults?
    }

    private let state: Mutex<State>

    package init(total: Int) { state = Mutex(State(total: total)) }

    package var done: Int { state.withLock { $0.done } }
    package var total: Int { state.withLock { $0.total } }
    /// Whether no further photograph is to be begun.
    package var isStopped: Bool { state.withLock { $0.isStopped } }
    /// Of the photographs that are done; nil: none has been begun.
    package var results: PhotographResults? {
        state.withLock { state in
            var results = state.results
            results?.left = max(0, state.total - state.done)
            return results
        }
    }

    package func begin(_ results: PhotographResults, total: Int) {
        state.withLock { ($0.results, $0.total) = (results, total) }
    }

    /// - Parameter change: adds the photograph to the results.
    package func noteOne(_ change: (inout PhotographResults) -> Void) {
        state.withLock { state in
            state.done += 1
            guard var results = state.results else { return }
            // One owner, so that the names in it are not copied.
            state.results = nil
            change(&results)
            state.results = results
        }
    }

    package func stop() { state.withLock { $0.isStopped = true } }
}
