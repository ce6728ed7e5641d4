import Synchronization
import Testing
import Threads

@Suite struct DedicatedThreadTests {
    @Test func anyNumberMayWaitForTheEnd() throws {
        let counter = Counter()
        let worker = try DedicatedThread.start { for _ in 0..<1000 { counter.increment() } }
        let waiting = try (0..<4).map { _ in
            try DedicatedThread.start {
                worker.wait()
                if counter.value == 1000 { counter.increment() }
            }
        }
        for thread in waiting { thread.join() }
        // The waiters count one after another, so at least the first saw exactly a thousand.
        #expect(counter.value > 1000)
        worker.wait()
        worker.join()
        worker.join()
    }

    /// After `join` nothing of the thread is left, not even what its closure held.
    @Test func joiningLetsGoOfTheClosure() throws {
        weak var held: Counter?
        do {
            let counter = Counter()
            held = counter
            try DedicatedThread.start { counter.increment() }.join()
            #expect(counter.value == 1)
        }
        #expect(held == nil)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .acquiring) }
        func increment() { count.add(1, ordering: .acquiringAndReleasing) }
    }
}
