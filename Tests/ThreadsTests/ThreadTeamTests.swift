import Dispatch
import Glibc
import Synchronization
import Testing
import Threads

@Suite struct ThreadTeamTests {
    private final class Counts: Sendable {
        let pieces = Mutex([Int](repeating: 0, count: 100))
        let threads = Mutex<Set<Int>>([])
        func note(_ piece: Int, _ thread: Int) {
            pieces.withLock { $0[piece] += 1 }
            threads.withLock { _ = $0.insert(thread) }
        }
    }

    @Test(arguments: [1, 2, 5]) func eachPieceIsDoneOnce(threads: Int) {
        let counts = Counts()
        let team = ThreadTeam(count: threads) { counts.note($0, $1) }
        for round in 1...200 {
            // Sometimes fewer pieces than threads.
            let pieces = round % 50
            counts.pieces.withLock { $0 = [Int](repeating: 0, count: 100) }
            team.run(pieces)
            let done = counts.pieces.withLock { $0 }
            #expect(done == (0..<100).map { $0 < pieces ? 1 : 0 }, "round \(round)")
        }
        #expect(counts.threads.withLock { $0 }.isSubset(of: Set(0..<threads)))
    }

    @Test(arguments: [1, 2, 5], [Duration.zero, .microseconds(50), .milliseconds(20)])
    func eachPieceIsDoneOnceBesideTheCaller(threads: Int, delay: Duration) {
        let counts = Counts()
        let team = ThreadTeam(count: threads) { counts.note($0, $1) }
        for round in 1...100 {
            let pieces = round % 7
            counts.pieces.withLock { $0 = [Int](repeating: 0, count: 100) }
            team.start(pieces, after: delay)
            if round % 3 == 0 { sched_yield() }
            team.finish()
            team.finish()
            #expect(counts.pieces.withLock { $0 } == (0..<100).map { $0 < pieces ? 1 : 0 }, "round \(round)")
        }
    }

    @Test func piecesAreDoneWithoutTheCaller() {
        let done = DispatchSemaphore(value: 0)
        let team = ThreadTeam(count: 2) { _, _ in done.signal() }
        team.start(3)
        for _ in 0..<3 { #expect(done.wait(timeout: .now() + 60) == .success) }
        team.finish()
    }

    /// Pieces that wait for each other are done only if each has a thread.
    @Test func threadsWorkAtTheSameTime() {
        let arrived = Mutex(0)
        let met = DispatchSemaphore(value: 0)
        let team = ThreadTeam(count: 2) { _, _ in
            let isSecond = arrived.withLock { count in
                count += 1
                return count.isMultiple(of: 2)
            }
            if isSecond { met.signal() } else { met.wait() }
        }
        for _ in 0..<20 { team.run(2) }
        #expect(arrived.withLock { $0 } == 40)
    }
}
