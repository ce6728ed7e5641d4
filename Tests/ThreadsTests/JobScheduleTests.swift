import Synchronization
import Testing
import Threads

@Suite struct JobScheduleTests {
    /// Whatever the jobs need, together they never hold more than there is, and each is done once.
    @Test func jobsNeverHoldMoreThanThereIs() throws {
        let count = 1600
        let schedule = JobSchedule(count: count, memory: 100)
        let held = Mutex((now: 0, most: 0))
        let done = Mutex([Int](repeating: 0, count: count))
        let handles = try (0..<8).map { _ in
            try DedicatedThread.start {
                while let job = schedule.take({ ($0 * 37) % 101 }) {
                    held.withLock { held in
                        held.now += job.bytes
                        held.most = max(held.most, held.now)
                    }
                    done.withLock { $0[job.number] += 1 }
                    held.withLock { $0.now -= job.bytes }
                    schedule.finish(job)
                }
            }
        }
        for handle in handles { handle.join() }
        #expect(held.withLock { $0.most } <= 100)
        #expect(done.withLock { $0 } == [Int](repeating: 1, count: count))
    }

    @Test func largeJobsArePutOff() throws {
        let schedule = JobSchedule(count: 4, memory: 10)
        let bytes = [8, 8, 2, 5]
        func take() throws -> JobSchedule.Job { try #require(schedule.take { bytes[$0] }) }
        let first = try take()
        #expect(first.number == 0)
        // The second one does not fit beside the first.
        let third = try take()
        #expect(third.number == 2)
        schedule.finish(first)
        let second = try take()
        #expect(second.number == 1)
        schedule.finish(third)
        schedule.finish(second)
        let last = try take()
        #expect(last.number == 3)
        #expect(schedule.take { bytes[$0] } == nil)
    }

    /// A thread for which nothing fits goes on when memory is given back, or when all is stopped.
    @Test(arguments: [false, true]) func aThreadThatWaitsIsWoken(_ isStopped: Bool) throws {
        let schedule = JobSchedule(count: 2, memory: 10)
        let first = try #require(schedule.take { _ in 10 })
        let taken = Mutex<Int?>(nil)
        let waiting = try DedicatedThread.start {
            let job = schedule.take { _ in 10 }
            taken.withLock { $0 = job?.number ?? -1 }
        }
        if isStopped { schedule.stop() } else { schedule.finish(first) }
        waiting.join()
        #expect(taken.withLock { $0 } == (isStopped ? -1 : 1))
    }

    @Test func theTimeOfAThreadGrows() {
        let start = ThreadTime.ofThisThread
        var sum = 0.0
        while ThreadTime.ofThisThread.executing < start.executing + .milliseconds(5) { sum += 1 }
        #expect(sum > 0)
    }
}
