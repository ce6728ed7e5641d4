import LiveWindow
import Testing

/// A mask is tried on while the mouse is over it.
@Suite struct MaskTrialTests {
    private let start = ContinuousClock.now

    @Test func aMaskUnderTheMouseIsWornUntilTheMouseLeaves() {
        var trial = MaskTrial()
        #expect(trial.update(3, mouseRest: 0, at: start) == nil)
        #expect(trial.update(3, mouseRest: 0.1, at: start + .milliseconds(100)) == nil, "it may only be passed")
        #expect(trial.update(3, mouseRest: 0.3, at: start + .milliseconds(300)) == 3)
        #expect(trial.update(3, mouseRest: 9, at: start + .seconds(9)) == 3)
        #expect(trial.update(nil, mouseRest: 0, at: start + .milliseconds(9100)) == 3, "a gap between two masks")
        #expect(trial.update(nil, mouseRest: 0, at: start + .milliseconds(9400)) == nil)
    }

    @Test func theNextMaskTakesItsPlaceWithoutTheOneBefore() {
        var trial = MaskTrial()
        for time in 0...3 { _ = trial.update(3, mouseRest: 0, at: start + .milliseconds(100 * time)) }
        #expect(trial.update(nil, mouseRest: 0, at: start + .milliseconds(310)) == 3)
        #expect(trial.update(4, mouseRest: 0, at: start + .milliseconds(350)) == 3)
        #expect(trial.update(4, mouseRest: 0, at: start + .milliseconds(600)) == 4)
    }

    /// The wheel moves masks under a mouse that rests.
    @Test func scrollingTriesNothingOn() {
        var trial = MaskTrial()
        for time in 0...9 { #expect(trial.update(time, mouseRest: 2, at: start + .seconds(time)) == nil) }
        #expect(trial.update(9, mouseRest: 0, at: start + .seconds(10)) == nil)
        #expect(trial.update(9, mouseRest: 0, at: start + .seconds(11)) == 9)
    }
}
