import Glibc
import Synchronization
import Testing
import Threads

@Suite struct ThreadConfinedTests {
    /// Notes on which threads it was made, used and destroyed. Not Sendable, as the objects of many libraries are.
    private final class Confined {
        private let log: Log
        var count = 0

        init(_ log: Log) {
            self.log = log
            log.note("made")
        }

        func use() {
            count += 1
            log.note("used")
        }

        deinit { log.note("destroyed") }
    }

    private final class Log: Sendable {
        private let entries = Mutex<[(event: String, thread: pthread_t)]>([])
        func note(_ event: String) { entries.withLock { $0.append((event, pthread_self())) } }
        var events: [String] { entries.withLock { $0.map(\.event) } }
        var threads: Set<pthread_t> { entries.withLock { Set($0.map(\.thread)) } }
    }

    private struct Failure: Error, Equatable { let reason: String }

    @Test func theValueStaysOnOneThread() throws {
        let log = Log()
        do {
            let confined = ThreadConfined { Confined(log) }
            #expect(log.events.isEmpty, "it is made with the first piece of work")
            for _ in 0..<2 { try confined.perform { $0.use() } }
        }
        #expect(log.events == ["made", "used", "used", "destroyed"])
        #expect(log.threads.count == 1 && !log.threads.contains(pthread_self()))
    }

    @Test func callsFromSeveralThreadsAreServedOneAfterAnother() throws {
        let confined = ThreadConfined { Confined(Log()) }
        let callers = try (0..<8).map { _ in
            try DedicatedThread.start {
                for _ in 0..<200 {
                    #expect(throws: Never.self) { try confined.perform { $0.count += 1 } }
                }
            }
        }
        for caller in callers { caller.join() }
        var count = 0
        try confined.perform { count = $0.count }
        #expect(count == 1600)
    }

    @Test func anErrorReachesTheCallerAndTheThreadContinues() throws {
        let confined = ThreadConfined { Confined(Log()) }
        #expect(throws: Failure(reason: "work")) { try confined.perform { _ in throw Failure(reason: "work") } }
        var ran = false
        try confined.perform { _ in ran = true }
        #expect(ran)
    }

    @Test func aValueThatCannotBeMadeIsTriedAgain() throws {
        let attempts = Atomic(0)
        let confined = ThreadConfined {
            if attempts.add(1, ordering: .relaxed).oldValue == 0 { throw Failure(reason: "making") }
            return Confined(Log())
        }
        var ran = false
        #expect(throws: Failure(reason: "making")) { try confined.perform { _ in ran = true } }
        #expect(!ran)
        try confined.perform { _ in ran = true }
        #expect(ran)
    }

    /// Work that nobody waits for is done before later work; what it throws is met again by work that somebody waits for.
    @Test func theValueIsPrepared() throws {
        let log = Log()
        let attempts = Atomic(0)
        let confined = ThreadConfined {
            if attempts.add(1, ordering: .relaxed).oldValue == 0 { throw Failure(reason: "making") }
            return Confined(log)
        }
        confined.prepare()
        confined.prepare { $0.use() }
        var count = 0
        try confined.perform { count = $0.count }
        #expect(count == 1 && log.events == ["made", "used"])
    }
}
