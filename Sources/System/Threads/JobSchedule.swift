import Dispatch
import Synchronization

/// Hands numbered jobs to threads so that those that run at the same time take no more memory together than there is.
///
/// A job that does not fit beside the others is put off, and smaller ones after it are done first: a thread waits only if
/// nothing that is left fits. The list is finite, so each job's turn comes, at the latest when no other is left.
package final class JobSchedule: Sendable {
    package struct Job: Equatable, Sendable {
        /// From 0.
        package let number: Int
        /// The memory that it takes.
        package let bytes: Int
    }

    private struct State {
        var next = 0
        /// In the order of their numbers.
        var putOff: [Job] = []
        var free: Int
        var isStopped = false
        var waiting: [DispatchSemaphore] = []
        var timeWaited = Duration.zero
    }

    private enum Step {
        case take(Job)
        case ask(Int)
        case wait(DispatchSemaphore)
        case end
    }

    private let count: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: of the jobs.
    ///   - memory: for all jobs together, in bytes.
    package init(count: Int, memory: Int) {
        self.count = count
        state = Mutex(State(free: memory))
    }

    /// The next job, whose memory is set aside until `finish`. If none of those that are left fits, waits.
    /// - Parameter memory: what a job takes, in bytes, at most the memory of all; asked once for each, on this thread.
    /// - Returns: nil when no job is left, or after `stop`.
    package func take(_ memory: (Int) -> Int) -> Job? {
        while true {
            switch state.withLock({ step(&$0) }) {
            case .take(let job): return job
            case .ask(let number):
                let job = Job(number: number, bytes: memory(number))
                let isTaken = state.withLock { state in
                    if job.bytes <= state.free {
                        state.free -= job.bytes
                        return true
                    }
                    let place = state.putOff.firstIndex { $0.number > number } ?? state.putOff.endIndex
                    state.putOff.insert(job, at: place)
                    return false
                }
                if isTaken { return job }
            case .wait(let semaphore):
                let start = ContinuousClock.now
                semaphore.wait()
                state.withLock { $0.timeWaited += .now - start }
            case .end: return nil
            }
        }
    }

    private func step(_ state: inout State) -> Step {
        if state.isStopped { return .end }
        if let place = state.putOff.firstIndex(where: { $0.bytes <= state.free }) {
            let job = state.putOff.remove(at: place)
            state.free -= job.bytes
            return .take(job)
        }
        if state.next < count {
            defer { state.next += 1 }
            return .ask(state.next)
        }
        if state.putOff.isEmpty { return .end }
        let semaphore = DispatchSemaphore(value: 0)
        state.waiting.append(semaphore)
        return .wait(semaphore)
    }

    /// Gives the memory of a job back.
    package func finish(_ job: Job) {
        wakeAll { $0.free += job.bytes }
    }

    /// No further job is handed out.
    package func stop() {
        wakeAll { $0.isStopped = true }
    }

    private func wakeAll(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// How long all threads together have waited for memory.
    package var timeWaited: Duration { state.withLock { $0.timeWaited } }
}
