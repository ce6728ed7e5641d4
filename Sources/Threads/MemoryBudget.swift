import Dispatch
import Synchronization

/// A number of bytes that the jobs of several threads share. A job that does not fit beside the others waits until it
/// does; the first one that waits is the first to get its share, so that a large job is not passed over for ever.
package final class MemoryBudget: Sendable {
    private struct Waiting {
        let bytes: Int
        let turn: DispatchSemaphore
    }

    private struct State {
        var free: Int
        var waiting: [Waiting] = []
    }

    /// In bytes.
    package let size: Int
    private let state: Mutex<State>

    package init(bytes: Int) {
        size = bytes
        state = Mutex(State(free: bytes))
    }

    /// Runs a job that needs so many bytes, as soon as they are free.
    /// - Parameter bytes: 0…`size`.
    package func reserving<Result, Failure: Error>(
        _ bytes: Int, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition((0...size).contains(bytes), "a job that can never fit must be refused before")
        reserve(bytes)
        defer { release(bytes) }
        return try body()
    }

    private func reserve(_ bytes: Int) {
        let turn = state.withLock { state -> DispatchSemaphore? in
            if state.waiting.isEmpty, bytes <= state.free {
                state.free -= bytes
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            state.waiting.append(Waiting(bytes: bytes, turn: turn))
            return turn
        }
        turn?.wait()
    }

    private func release(_ bytes: Int) {
        let ready = state.withLock { state -> [DispatchSemaphore] in
            state.free += bytes
            var ready: [DispatchSemaphore] = []
            while let first = state.waiting.first, first.bytes <= state.free {
                state.free -= first.bytes
                ready.append(state.waiting.removeFirst().turn)
            }
            return ready
        }
        for turn in ready { turn.signal() }
    }
}
