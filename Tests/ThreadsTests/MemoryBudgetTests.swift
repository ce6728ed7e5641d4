import Synchronization
import Testing
import Threads

@Suite struct MemoryBudgetTests {
    /// Whatever the jobs need, together they never hold more than there is, and all are done.
    @Test func jobsNeverHoldMoreThanThereIs() {
        let budget = MemoryBudget(bytes: 100)
        let held = Mutex(0)
        let most = Mutex(0)
        let done = Mutex(0)
        let handles = (0..<8).map { thread in
            DedicatedThread.start {
                for round in 0..<200 {
                    let bytes = (thread * 37 + round * 11) % 101
                    budget.reserving(bytes) {
                        let now = held.withLock { held in
                            held += bytes
                            return held
                        }
                        most.withLock { $0 = max($0, now) }
                        held.withLock { $0 -= bytes }
                    }
                    done.withLock { $0 += 1 }
                }
            }
        }
        for handle in handles { handle.join() }
        #expect(most.withLock { $0 } <= 100)
        #expect(done.withLock { $0 } == 1600)
    }

    /// A job that needs everything gets it although small ones come all the time.
    @Test func aLargeJobIsNotPassedOver() {
        let budget = MemoryBudget(bytes: 10)
        let isDone = Mutex(false)
        let small = (0..<4).map { _ in
            DedicatedThread.start {
                while !isDone.withLock({ $0 }) { budget.reserving(3) {} }
            }
        }
        budget.reserving(10) { isDone.withLock { $0 = true } }
        for handle in small { handle.join() }
    }

    /// What an error ends gives its bytes back.
    @Test func anErrorGivesTheBytesBack() {
        struct Failure: Error {}
        let budget = MemoryBudget(bytes: 1)
        for _ in 0..<3 {
            #expect(throws: Failure.self) { try budget.reserving(1) { () throws(Failure) in throw Failure() } }
        }
    }
}
