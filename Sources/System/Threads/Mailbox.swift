import Dispatch
import Synchronization

/// Holds at most one value on its way from one thread to another.
package final class Mailbox<Content: ~Copyable & Sendable>: Sendable {
    private struct State: ~Copyable {
        var content: Content?
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Signalled at every change; a waiting thread then checks again. A thread that is woken by the end wakes the next.
    private let filled = DispatchSemaphore(value: 0)
    private let emptied = DispatchSemaphore(value: 0)

    package init() {}

    /// Puts a value in and replaces one that has not been taken.
    /// - Returns: the replaced value; or the value itself if the mailbox is closed.
    package func replace(_ content: consuming Content) -> Content? {
        var new: Content? = consume content
        let old = state.withLock { state -> Content? in
            guard !state.isClosed else { return new.take() }
            let old = state.content.take()
            state.content = new.take()
            return old
        }
        filled.signal()
        return old
    }

    /// Waits until the mailbox is empty, and puts a value in.
    /// - Returns: false if the mailbox is closed.
    package func put(_ content: consuming Content) -> Bool {
        var new: Content? = consume content
        while true {
            let (isDone, isClosed) = state.withLock { state in
                guard !state.isClosed else { return (true, true) }
                guard state.content == nil else { return (false, false) }
                state.content = new.take()
                return (true, false)
            }
            if isDone {
                filled.signal()
                return !isClosed
            }
            emptied.wait()
            if self.isClosed { emptied.signal() }
        }
    }

    /// Takes the value, or waits for one.
    /// - Parameter seconds: the longest time to wait; nil: no limit.
    /// - Returns: nil after that time, or if the mailbox is closed and empty.
    package func take(waiting seconds: Double?) -> Content? {
        let deadline = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
        while true {
            var isClosed = false
            let content = state.withLock { state -> Content? in
                isClosed = state.isClosed
                return state.content.take()
            }
            if let content {
                emptied.signal()
                return content
            }
            if isClosed || filled.wait(timeout: deadline) == .timedOut { return nil }
            if self.isClosed { filled.signal() }
        }
    }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether it is closed and everything has been taken.
    package var isDrained: Bool { state.withLock { $0.isClosed && $0.content == nil } }

    /// Closes the mailbox: nothing can be put in any more, a value in it can still be taken, and waiting threads
    /// continue.
    package func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        emptied.signal()
    }
}
