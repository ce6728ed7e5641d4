import Foundation
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

    @Test func puttingWaitsForRoomAndKeepsTheOrder() {
        let box = Mailbox<Int>()
        let writer = DedicatedThread.start {
            for number in 0..<1000 { #expect(box.put(number)) }
            box.close()
        }
        var taken: [Int] = []
        while let number = box.take(waiting: nil) { taken.append(number) }
        writer.join()
        #expect(taken == Array(0..<1000))
    }

    @Test func closingWakesEverybody() {
        let box = Mailbox<Int>()
        let reader = DedicatedThread.start { #expect(box.take(waiting: nil) == nil) }
        let full = Mailbox<Int>()
        _ = full.replace(1)
        let writer = DedicatedThread.start { #expect(!full.put(2)) }
        usleep(20_000)
        box.close()
        full.close()
        reader.join()
        writer.join()
        // What was in it can still be had.
        #expect(full.take(waiting: 0) == 1)
    }

    @Test func sleepEndsWithTheStop() {
        let signal = StopSignal()
        let start = ContinuousClock.now
        let sleeper = DedicatedThread.start { #expect(!signal.sleep(seconds: 60)) }
        usleep(20_000)
        signal.stop()
        sleeper.join()
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(signal.isStopped && !signal.sleep(seconds: 60))
        // Whoever asks when it is too late is told at once.
        let told = Mailbox<Bool>()
        _ = signal.onStop { _ = told.replace(true) }
        #expect(told.take(waiting: 0) == true)
    }
}
