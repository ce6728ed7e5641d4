import FrameProcessing
import LiveWindow
import Testing

/// What the window says only once it has been so for a while.
@Suite struct LastingStateTests {
    @Test func itLastsOnlyWithoutABreak() {
        var state = LastingState(patience: 0.8)
        for tenth in 0...8 { state.note(true, at: 0.1 * Double(tenth)) }
        #expect(!state.lasts)
        state.note(true, at: 0.9)
        #expect(state.lasts)
        state.note(false, at: 1)
        state.note(true, at: 1.1)
        state.note(true, at: 1.8)
        #expect(!state.lasts)
    }

    /// However long no frame comes.
    @Test func aPauseDoesNotCount() {
        var state = LastingState(patience: 3)
        for time in [10, 10.5, 10.5, 11] { state.note(true, at: time) }
        #expect(!state.lasts)
    }

    /// As in a pause, or where a clip has one frame.
    @Test func inAFrameThatStaysItLastsAtOnce() {
        var state = LastingState(patience: 0.8)
        state.note(true, at: 0, stays: true)
        #expect(state.lasts)
        state.note(false, at: 0, stays: true)
        #expect(!state.lasts)
    }

    @Test func anotherSourceBeginsAnew() {
        var state = LastingState(patience: 0.8)
        for time in [0, 1.0] { state.note(true, at: time) }
        state.forget()
        #expect(!state.lasts)
        state.note(true, at: 1.1)
        #expect(!state.lasts)
    }

    /// Both counts are of the same time, however long that was.
    @Test func droppedFramesAreAShareOfAll() {
        var second = LiveStatistics().last
        #expect(second.droppedShare == 0)
        (second.seconds, second.frames, second.droppedFrames) = (2, 30, 10)
        #expect(second.droppedShare == 0.25)
        second.frames = 0
        #expect(second.droppedShare == 1)
    }
}
