import Foundation
import Synchronization
import Testing
import Threads

@Suite struct MailboxTests {
    @Test func theNewestReplacesTheOlder() {
        let box = Mailbox<Int>()
        #expect(box.replace(1) == nil)
        #expect(box.replace(2) == 1)
        #expect(box.take(waiting: 0) == 2)
        #expect(box.take(waiting: 0) == nil)
        box.close()
        #expect(box.replace(3) == 3)
        #expect(!box.put(4))
    }

    @Test func puttingWaitsForRoomAndKeepsTheOrder() throws {
        let box = Mailbox<Int>()
        let writer = try DedicatedThread.start {
            for number in 0..<1000 { #expect(box.put(number)) }
            box.close()
        }
        var taken: [Int] = []
        while let number = box.take(waiting: nil) { taken.append(number) }
        writer.join()
        #expect(taken == Array(0..<1000))
    }

    @Test func closingWakesEverybody() throws {
        for pause in 0..<100 {
            let box = Mailbox<Int>()
            let started = Atomic(0)
            let reader = try DedicatedThread.start {
                started.add(1, ordering: .relaxed)
                #expect(box.take(waiting: nil) == nil)
            }
            let full = Mailbox<Int>()
            _ = full.replace(1)
            let writer = try DedicatedThread.start {
                started.add(1, ordering: .relaxed)
                #expect(!full.put(2))
            }
            waitUntilThreadsBlock(started, count: 2, pause: pause)
            box.close()
            full.close()
            reader.join()
            writer.join()
            // What was in it can still be had.
            #expect(full.take(waiting: 0) == 1)
        }
    }

    /// Several that wait for the same mailbox.
    @Test func closingWakesAllOfSeveral() throws {
        for pause in [0, 1, 10, 100] {
            let (empty, full) = (Mailbox<Int>(), Mailbox<Int>())
            _ = full.replace(1)
            let started = Atomic(0)
            let ended = Atomic(0)
            let handles = try (0..<8).map { number in
                try DedicatedThread.start {
                    started.add(1, ordering: .relaxed)
                    if number % 2 == 0 { #expect(empty.take(waiting: nil) == nil) } else { #expect(!full.put(2)) }
                    ended.add(1, ordering: .relaxed)
                }
            }
            waitUntilThreadsBlock(started, count: 8, pause: pause)
            empty.close()
            full.close()
            let start = ContinuousClock.now
            while ended.load(ordering: .relaxed) < 8, .now - start < .seconds(60) { usleep(1000) }
            #expect(ended.load(ordering: .relaxed) == 8, "threads still wait for a closed mailbox")
            guard ended.load(ordering: .relaxed) == 8 else { return }
            for handle in handles { handle.join() }
        }
    }

    @Test func sleepEndsWithTheStop() throws {
        for pause in 0..<100 {
            let signal = StopSignal()
            let started = Atomic(0)
            // A sleep that goes on to its end would return true.
            let sleeper = try DedicatedThread.start {
                started.add(1, ordering: .relaxed)
                #expect(!signal.sleep(seconds: 600))
            }
            waitUntilThreadsBlock(started, count: 1, pause: pause)
            signal.stop()
            sleeper.join()
            #expect(signal.isStopped && !signal.sleep(seconds: 600))
        }
        let signal = StopSignal()
        signal.stop()
        // Whoever asks when it is too late is told at once.
        let told = Mailbox<Bool>()
        _ = signal.onStop { _ = told.replace(true) }
        #expect(told.take(waiting: 0) == true)
    }

    /// Waits until threads have started, and then gives them the processor a number of times, so that with growing
    /// numbers they are met before and after they block. What a test claims must hold in both cases.
    private func waitUntilThreadsBlock(_ started: borrowing Atomic<Int>, count: Int, pause: Int) {
        while started.load(ordering: .relaxed) < count { sched_yield() }
        for _ in 0..<pause { usleep(10) }
    }
}
