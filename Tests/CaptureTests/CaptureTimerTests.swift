import Capture
import Testing

@Suite struct CaptureTimerTests {
    /// The frames, at 10 a second, in which a picture is taken.
    /// - Parameters:
    ///   - missing: frames in which something is missing, and whether it is that the scene moves.
    private func taken(_ frames: Int, missing: [Range<Int>: Bool] = [:], interval: Double = 1) -> [Int] {
        var timer = CaptureTimer(countdown: 2, interval: interval)
        return (0..<frames).filter { frame in
            let what = missing.first { $0.key.contains(frame) }
            let step = timer.update(
                missing: what == nil ? [] : ["something"], moves: what?.value ?? false, at: Double(frame) / 10)
            return step == .takes
        }
    }

    @Test func aPictureComesAfterTheCountdownAndTheNextAfterAnother() {
        #expect(taken(70) == [20, 50])
        #expect(taken(70, interval: 0) == [20, 41, 62])
    }

    @Test func motionEndsTheCountdownAndABlinkDoesNot() {
        #expect(taken(40, missing: [10..<11: true]) == [31])
        #expect(taken(40, missing: [10..<12: false]) == [20])
        #expect(taken(40, missing: [10..<15: false]) == [35])
    }

    /// The picture itself must be good.
    @Test func noPictureIsTakenInABlink() {
        #expect(taken(40, missing: [19..<21: false]) == [21])
    }

    @Test func aClipThatBeginsAgainBeginsACountdown() {
        var timer = CaptureTimer(countdown: 1, interval: 5)
        _ = timer.update(missing: [], moves: false, at: 100)
        #expect(timer.update(missing: [], moves: false, at: 101) == .takes)
        #expect(timer.update(missing: [], moves: false, at: 0) == .counts(remaining: 1))
        #expect(timer.update(missing: [], moves: false, at: 1) == .takes)
    }
}
