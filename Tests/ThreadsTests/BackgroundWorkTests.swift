import Synchronization
import Testing
import Threads

@Suite struct BackgroundWorkTests {
    /// Whoever adds work does not wait for it; results come back in order, on the thread that asks for them.
    @Test func resultsAreHandedBackInOrder() {
        let (work, gate) = (BackgroundWork(), Mailbox<Bool>())
        var results: [Int] = []
        work.add {
            _ = gate.take(waiting: nil)
            return 0
        } finish: {
            results.append($0)
            // What follows from a result may be work, too.
            work.add({ 100 }) { results.append($0) }
        }
        for number in 1..<10 { work.add({ number }) { results.append($0) } }
        work.handBack()
        #expect(results.isEmpty && work.isBusy)
        _ = gate.replace(true)
        work.finish()
        #expect(results == Array(0..<10) + [100] && !work.isBusy)
        work.finish()
    }

    /// The thread ends when nothing is left, and begins anew.
    @Test func workMayComeLater() {
        let (work, count) = (BackgroundWork(), Counter())
        for number in 1...200 {
            work.add { count.value.add(1, ordering: .relaxed) }
            if number % 3 == 0 { work.finish() }
        }
        work.finish()
        #expect(count.value.load(ordering: .relaxed) == 200)
    }

    /// Who closes a window does not wait for what takes long.
    @Test func abandonedWorkIsNotWaitedFor() {
        let (work, gate, count, begun) = (BackgroundWork(), Mailbox<Bool>(), Counter(), Mailbox<Bool>())
        work.add({
            _ = begun.replace(true)
            return gate.take(waiting: nil)
        }) { _ in Issue.record("nobody is told") }
        _ = begun.take(waiting: nil)
        work.add { count.value.add(1, ordering: .relaxed) }
        work.abandon()
        #expect(work.isWorking && !work.isBusy)
        _ = gate.replace(true)
        work.stop()
        #expect(!work.isWorking && count.value.load(ordering: .relaxed) == 0)
    }

    private final class Counter: Sendable { let value = Atomic(0) }
}
