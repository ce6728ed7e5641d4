import FrameProcessing
import TestSupport
import Testing

@Suite struct LiveStatisticsTests {
    /// Notes frames whose stages take `value`, and 2, 3 and 4 times that, in milliseconds.
    private func note(_ values: some Sequence<Int>, faces: Int = 1, in statistics: inout LiveStatistics) {
        for value in values {
            statistics.note(milliseconds: (1...4).map { Double($0 * value) }, faces: faces)
        }
    }

    @Test func aRunWithoutFramesIsAllZero() {
        let summary = LiveStatistics().summary(droppedFrames: 0)
        #expect(summary.frames == 0 && summary.faces == 0 && summary.framesWithFaces == 0)
        #expect(summary.medians == [0, 0, 0, 0] && summary.slowest == [0, 0, 0, 0])
        #expect(LiveStatistics().last.framesPerSecond == 0)
    }

    /// The 50th and the 99th percentile, whatever the order.
    @Test func stagesHaveMediansAndSlowest() {
        var statistics = LiveStatistics()
        note((0..<200).reversed(), in: &statistics)
        let summary = statistics.summary(droppedFrames: 0)
        #expect(summary.medians == [100, 200, 300, 400])
        #expect(summary.slowest == [198, 396, 594, 792])
        #expect(LiveStatistics.stages.count == 4)
    }

    @Test func facesAreCounted() {
        var statistics = LiveStatistics()
        note(1...3, faces: 0, in: &statistics)
        note(1...2, faces: 3, in: &statistics)
        let summary = statistics.summary(droppedFrames: 9)
        #expect(summary.frames == 5 && summary.faces == 6 && summary.framesWithFaces == 2)
        #expect(summary.droppedFrames == 9 && summary.seconds > 0)
    }

    /// A second counts only its own frames and drops; the summary counts all, but not the durations of the first second.
    @Test func secondsStartAnew() throws {
        var statistics = LiveStatistics()
        note([1, 1, 1], in: &statistics)
        func nextSecond(dropped: Int) throws -> LiveStatistics.Summary {
            try #require(
                try wait(for: "the end of a second") {
                    statistics.endSecond(droppedFrames: dropped)
                } until: {
                    $0 != nil
                }
            )
        }
        let first = try nextSecond(dropped: 3)
        #expect(first.frames == 3 && first.droppedFrames == 3 && first.seconds >= 1)
        #expect(first.framesPerSecond <= 3 && first.framesPerSecond > 0)
        #expect(statistics.last.frames == 3)
        #expect(statistics.summary(droppedFrames: 3).medians[0] == 1, "a run of a second has no others")
        note([5, 5], in: &statistics)
        let second = try nextSecond(dropped: 4)
        #expect(second.frames == 2 && second.droppedFrames == 1 && second.medians == [5, 10, 15, 20])
        let summary = statistics.summary(droppedFrames: 4)
        #expect(summary.frames == 5 && summary.droppedFrames == 4 && summary.medians == [5, 10, 15, 20])
    }

    /// Long runs keep a bounded sample of the whole run: its end does not stand for all.
    @Test func longRunsAreSampled() {
        var statistics = LiveStatistics()
        note(repeatElement(1, count: 30_000), in: &statistics)
        note(repeatElement(3, count: 10_000), in: &statistics)
        let mixed = statistics.summary(droppedFrames: 0)
        #expect(mixed.frames == 40_000 && mixed.medians == [1, 2, 3, 4] && mixed.slowest == [3, 6, 9, 12])
        note(repeatElement(5, count: 120_000), in: &statistics)
        #expect(statistics.summary(droppedFrames: 0).medians == [5, 10, 15, 20])
    }
}
