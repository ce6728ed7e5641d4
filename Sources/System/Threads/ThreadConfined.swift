/// A value that is made, used and destroyed on one thread of its own: for objects that belong to a thread, as OpenGL's
/// contexts do.
package final class ThreadConfined<Value>: Sendable {
    private let jobs = Mailbox<Job>()
    /// Or why there is no thread: each piece of work fails then.
    private let thread: Result<DedicatedThread.Handle, NoThread>

    /// Starts the thread.
    /// - Parameter make: makes the value on the thread, with the first piece of work. If it throws, that piece of work
    ///   fails with its error, and the next one tries again.
    package init(_ make: @escaping @Sendable () throws -> Value) {
        let jobs = jobs
        thread = Result { () throws(NoThread) in
            try DedicatedThread.start {
                var value: Value?
                while let job = jobs.take(waiting: nil) {
                    let outcome = job.outcome
                    _ = outcome.replace(job.run(on: &value, make))
                }
                value = nil
            }
        }
    }

    /// The thread and the value are gone afterwards.
    deinit {
        jobs.close()
        try? thread.get().join()
    }

    /// Runs `body` on the thread and waits for it. Calls from several threads are served one after another.
    /// - Throws: the error of `body`, or of making the value; `NoThread`.
    package func perform(_ body: (Value) throws -> Void) throws {
        _ = try thread.get()
        try withoutActuallyEscaping(body) { body in
            let outcome = Mailbox<Result<Void, any Error>>()
            _ = jobs.put(Job(body: body, outcome: outcome))
            try outcome.take(waiting: nil)?.get()
        }
    }

    /// Makes the value and runs `body` on the thread, and does not wait for it. If that fails, nobody is told: the next
    /// piece of work tries again.
    package func prepare(_ body: @escaping @Sendable (Value) throws -> Void = { _ in }) {
        guard case .success = thread else { return }
        _ = jobs.put(Job(body: body, outcome: Mailbox()))
    }

    private struct Job: ~Copyable, Sendable {
        /// It is Sendable, or the caller waits while the thread runs it, so it never runs beside the caller's own code.
        nonisolated(unsafe) let body: (Value) throws -> Void
        let outcome: Mailbox<Result<Void, any Error>>

        /// Consumes the job, because the caller's closure must be released before the caller continues.
        @inline(never)
        consuming func run(on value: inout Value?, _ make: () throws -> Value) -> Result<Void, any Error> {
            do {
                let made = try value ?? make()
                value = made
                return .success(try body(made))
            } catch {
                return .failure(error)
            }
        }
    }
}
