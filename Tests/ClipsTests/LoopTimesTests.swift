import Clips
import Testing

/// A clip of two seconds at 10 frames a second.
@Suite struct LoopTimesTests {
    private func times(_ read: [Double]) -> [Double] {
        var times = LoopTimes(duration: 2, frameRate: 10)
        return read.map { (times.time(of: $0) * 100).rounded() / 100 }
    }

    private func frames(from start: Double) -> [Double] { (0..<20).map { start + Double($0) / 10 } }

    @Test func aGapBetweenRoundsIsLeftOut() {
        let result = times(frames(from: 0) + frames(from: 10) + frames(from: 20))
        #expect(result == (0..<60).map { Double($0 * 10) / 100 })
    }

    @Test func roundsWithoutGapsStay() {
        let read = (0..<60).map { Double($0) / 10 }
        #expect(times(read) == read.map { ($0 * 100).rounded() / 100 })
    }

    /// A picture that stands still for a while.
    @Test func pausesWithinARoundStay() {
        let read = [0, 0.1, 1.2, 1.3, 1.9, 2, 2.1, 2.3, 3.2, 3.9, 4]
        #expect(times(read) == read)
    }
}
