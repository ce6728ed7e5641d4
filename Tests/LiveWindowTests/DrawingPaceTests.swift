import Display
import Testing

@Suite struct DrawingPaceTests {
    private let start = ContinuousClock.now

    private func pace(isHardware: Bool, drawingFor milliseconds: Int) -> DrawingPace {
        var pace = DrawingPace(isHardware: isHardware)
        pace.drew(from: start - .milliseconds(milliseconds), to: start)
        return pace
    }

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test func aWindowThatWasNeverDrawnIsDue() {
        let pace = DrawingPace(isHardware: false)
        #expect(pace.isDue(at: start))
        #expect(pace.pause(at: start) == .zero)
    }

    @Test func withoutAGraphicsCardAtMostAThirdOfTheTimeIsForDrawing() {
        var pace = pace(isHardware: false, drawingFor: 40)
        #expect(pace.pause(at: after(30)) == .milliseconds(50))
        #expect(pace.pause(at: after(80)) == .zero)
        // Who does something waits half as long.
        pace.wake(at: start)
        #expect(pace.pause(at: after(30)) == .milliseconds(10))
    }

    @Test func aVerySlowWindowStillAnswers() {
        #expect(pace(isHardware: false, drawingFor: 2000).pause(at: start) == .milliseconds(250))
    }

    @Test func aGraphicsCardNeedsNoPause() {
        #expect(pace(isHardware: true, drawingFor: 40).pause(at: start) == .zero)
    }

    @Test func withoutPicturesItIsDrawnOftenOnlyAfterTheUserActs() {
        var pace = pace(isHardware: true, drawingFor: 1)
        #expect(!pace.isDue(at: after(50)))
        #expect(pace.isDue(at: after(100)))
        pace.wake(at: after(-900))
        #expect(!pace.isDue(at: after(10)))
        #expect(pace.isDue(at: after(50)))
        pace.wake(at: after(-1000))
        #expect(!pace.isDue(at: after(50)))
    }
}
