import Synchronization

/// How far the photographs are masked. Any thread may read and change it.
package final class PhotographProgress: Sendable {
    private struct State {
        var done = 0
        var total: Int
        var isStopped = false
    }

    private let state: Mutex<State>

    package init(total: Int) { state = Mutex(State(total: total)) }

    package var done: Int { state.withLock { $0.done } }
    package var total: Int { state.withLock { $0.total } }
    /// Whether no further photograph is to be begun.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    package func note(total: Int) { state.withLock { $0.total = total } }
    package func noteOne() { state.withLock { $0.done += 1 } }
    package func stop() { state.withLock { $0.isStopped = true } }
}
