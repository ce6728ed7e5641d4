import Dispatch
import Synchronization

/// A place for one thing on its way from one thread to another: whoever takes gets the newest.
package final class Mailbox<Content: ~Copyable & Sendable>: Sendable {
    private struct State: ~Copyable {
        var content: Content?
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Signalled at every change; who waits looks again.
    private let filled = DispatchSemaphore(value: 0)
    private let emptied = DispatchSemaphore(value: 0)

    package init() {}

    /// Puts something in, whatever is there.
    /// - Returns: what was replaced and will never be taken; or the thing itself once the mailbox is closed.
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

    /// Puts something in once the thing before has been taken.
    /// - Returns: false once the mailbox is closed.
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
        }
    }

    /// Takes what is there, or waits for it.
    /// - Parameter seconds: how long; nil: for ever.
    /// - Returns: nil when nothing came, or the mailbox is closed and empty.
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
        }
    }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Nothing can be put in any more; what is in it can still be taken. Everybody who waits goes on.
    package func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        emptied.signal()
    }
}
