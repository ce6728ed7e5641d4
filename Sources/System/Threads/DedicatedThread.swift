import Dispatch
import Glibc
import Synchronization

/// Threads for work that blocks or takes long and would starve Swift's cooperative thread pool.
package enum DedicatedThread {
    /// - Returns: a handle to wait for the end of `body`.
    /// - Throws: if the system gives no more threads. `body` is not called then.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) throws(NoThread) -> Handle {
        let finished = DispatchSemaphore(value: 0)
        let job = Unmanaged.passRetained(
            Job {
                body()
                finished.signal()
            })
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // dlib's recursion and Mesa's shader compiler need more than the 512 KiB of some systems.
        pthread_attr_setstacksize(&attributes, 8 << 20)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, job.toOpaque())
        pthread_attr_destroy(&attributes)
        guard result == 0 else {
            job.release()
            throw NoThread(code: result)
        }
        return Handle(thread: thread, finished: finished)
    }

    /// Does what must be done, on the caller's thread where the system gives no more of them.
    /// - Returns: a handle to wait for the end of `body`; nil: the caller has done it.
    package static func startOrRun(_ body: @escaping @Sendable () -> Void) -> Handle? {
        do {
            return try start(body)
        } catch {
            body()
            return nil
        }
    }

    /// Lets other threads go first where there are fewer processors than threads that work: for work that nobody waits for.
    /// On Linux, each thread has a niceness of its own. It cannot be undone.
    package static func lowerPriorityOfCaller() {
        let (kind, caller) = (__priority_which_t(PRIO_PROCESS.rawValue), id_t(0))
        setpriority(kind, caller, getpriority(kind, caller) + 5)
    }

    package final class Handle: Sendable {
        private let finished: DispatchSemaphore
        /// Nil once the thread has been joined.
        private let thread: Mutex<pthread_t?>

        fileprivate init(thread: pthread_t, finished: DispatchSemaphore) {
            self.finished = finished
            self.thread = Mutex(thread)
        }

        deinit { thread.withLock { if let thread = $0 { pthread_detach(thread) } } }

        /// Waits for the end of `body`. Any number of threads may wait.
        package func wait() {
            finished.wait()
            finished.signal()
        }

        /// Waits for the end of `body`.
        /// - Returns: false if it has not come after so many seconds.
        package func wait(seconds: Double) -> Bool {
            guard finished.wait(timeout: .now() + seconds) == .success else { return false }
            finished.signal()
            return true
        }

        /// Waits until the thread has ended and its thread-local data, such as that of libraries, is freed.
        package func join() {
            thread.withLock { thread in
                if let running = thread { pthread_join(running, nil) }
                thread = nil
            }
        }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// The system gives no more threads: the limit of processes of a user or a container is reached, or that of memory.
package struct NoThread: Error, Equatable, CustomStringConvertible {
    /// An `errno`.
    let code: Int32

    package var description: String {
        "the system cannot start more threads (\(String(cString: strerror(code)))): a limit of processes or of memory is reached"
    }
}
