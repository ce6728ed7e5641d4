import Dispatch
import Glibc
import Synchronization

/// Threads that share the pieces of one piece of work after another. They sleep in between, and allocate nothing.
package final class ThreadTeam: Sendable {
    /// State that all threads share.
    private final class Shared: Sendable {
        /// The number of pieces in the upper half, the next one in the lower half. Whoever has taken a piece knows that
        /// the work is not finished before this piece is.
        let pieces = Atomic<UInt64>(0)
        let unfinished = Atomic<Int>(0)
        let isClosed = Atomic<Bool>(false)
        /// How long threads that are woken wait before they take a piece, in microseconds.
        let delay = Atomic<UInt32>(0)
        let wake = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        let body: @Sendable (_ piece: Int, _ thread: Int) -> Void

        init(_ body: @escaping @Sendable (Int, Int) -> Void) { self.body = body }

        /// Works until no piece is left.
        /// - Returns: whether this thread has finished the last one.
        func work(as thread: Int) -> Bool {
            var isLast = false
            while let piece = take() {
                body(piece, thread)
                if unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isLast = true }
            }
            return isLast
        }

        private func take() -> Int? {
            var known = pieces.load(ordering: .acquiring)
            while known & 0xffff_ffff < known >> 32 {
                let (exchanged, original) = pieces.weakCompareExchange(
                    expected: known, desired: known + 1, ordering: .acquiringAndReleasing)
                if exchanged { return Int(known & 0xffff_ffff) }
                known = original
            }
            return nil
        }
    }

    private let shared: Shared
    private let handles: [DedicatedThread.Handle]

    /// - Parameters:
    ///   - count: of threads, with the caller's; at least 1. Where the system gives fewer, those do all.
    ///   - body: gets the piece, from 0, and the thread, from 0 (the caller's). Different threads call it at the same
    ///     time.
    package init(count: Int, _ body: @escaping @Sendable (_ piece: Int, _ thread: Int) -> Void) {
        let shared = Shared(body)
        self.shared = shared
        handles = (1..<max(1, count)).compactMap { thread in
            try? DedicatedThread.start {
                while true {
                    shared.wake.wait()
                    if shared.isClosed.load(ordering: .acquiring) { return }
                    let delay = shared.delay.load(ordering: .relaxed)
                    if delay > 0 { usleep(delay) }
                    if shared.work(as: thread) { shared.finished.signal() }
                }
            }
        }
    }

    deinit {
        shared.isClosed.store(true, ordering: .releasing)
        for _ in handles { shared.wake.signal() }
        for handle in handles { handle.join() }
    }

    /// Does all pieces and waits for them; they are begun in their order. Only one thread may call it at a time.
    /// - Returns: how long the caller worked, and how long it then waited for others.
    @discardableResult
    package func run(_ pieces: Int) -> (worked: Duration, waited: Duration) {
        begin(pieces, threads: pieces - 1, after: .zero)
        return finish()
    }

    /// Lets the other threads do all pieces while the caller does something else, until it calls `finish`. Only one
    /// thread may call it at a time.
    /// - Parameter delay: before they begin, so that they do not disturb what is done until then.
    package func start(_ pieces: Int, after delay: Duration = .zero) { begin(pieces, threads: pieces, after: delay) }

    private func begin(_ pieces: Int, threads: Int, after delay: Duration) {
        shared.delay.store(UInt32(max(0, delay / .microseconds(1))), ordering: .relaxed)
        shared.unfinished.store(pieces, ordering: .relaxed)
        shared.pieces.store(UInt64(pieces) << 32, ordering: .releasing)
        for _ in 0..<max(0, min(handles.count, threads)) { shared.wake.signal() }
    }

    /// Does the pieces that nobody has begun since `start`, and waits for the others.
    /// - Returns: as `run`.
    @discardableResult
    package func finish() -> (worked: Duration, waited: Duration) {
        let start = ContinuousClock.now
        // A thread that wakes up too late finds nothing to do; nobody waits for it.
        let isFinished = shared.pieces.load(ordering: .relaxed) == 0 || shared.work(as: 0)
        // Another `finish` has nothing to wait for.
        defer { shared.pieces.store(0, ordering: .releasing) }
        let end = ContinuousClock.now
        guard !isFinished else { return (end - start, .zero) }
        shared.finished.wait()
        return (end - start, .now - end)
    }
}
