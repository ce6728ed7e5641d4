import Gestures
import Testing

@Suite struct GestureConfirmationTests {
    /// Words for the steps of a confirmation with a delay of 1.5 s, at 10 frames a second.
    private func steps(_ gestures: [Int: Gesture], absent: Range<Int> = 0..<0, immediate: Gesture? = nil) -> [Int:
        String]
    {
        var confirmation = GestureConfirmation<String>(delay: 1.5)
        var words: [Int: String] = [:]
        for frame in 0..<60 {
            let gesture = gestures[frame]
            let action = gesture.flatMap { $0 == .headShake ? nil : $0.rawValue }
            let step = confirmation.update(
                gesture, action: action, isImmediate: gesture == immediate && gesture != nil,
                isSeen: !absent.contains(frame), at: Double(frame) / 10)
            switch step {
            case .nothing: break
            case .waits(_, let action): words[frame] = "waits \(action)"
            case .acts(_, let action): words[frame] = "acts \(action)"
            case .takenBack(_, let action): words[frame] = "back \(action)"
            }
            #expect((0...1).contains(confirmation.progress))
        }
        return words
    }

    @Test func aGestureActsAfterTheDelay() {
        #expect(steps([5: .tiltLeft]) == [5: "waits tiltLeft", 20: "acts tiltLeft"])
    }

    @Test func aShakeOrAnotherGestureTakesItBack() {
        #expect(steps([5: .tiltLeft, 15: .headShake]) == [5: "waits tiltLeft", 15: "back tiltLeft"])
        #expect(steps([5: .tiltLeft, 15: .tiltRight]) == [5: "waits tiltLeft", 15: "back tiltLeft"])
        #expect(steps([5: .headShake]) == [:])
    }

    @Test func leavingThePictureCancels() {
        #expect(steps([5: .mouthOpen], absent: 6..<30) == [5: "waits mouthOpen", 13: "back mouthOpen"])
        #expect(steps([5: .mouthOpen], absent: 6..<11) == [5: "waits mouthOpen", 20: "acts mouthOpen"])
    }

    @Test func coveringActsAtOnceAndCancelsPendingEffects() {
        #expect(
            steps([5: .tiltLeft, 10: .eyesShut], immediate: .eyesShut) == [5: "waits tiltLeft", 10: "acts eyesShut"])
    }

    @Test func anotherSourceTakesItBack() {
        var confirmation = GestureConfirmation<Int>(delay: 1)
        _ = confirmation.update(.tiltLeft, action: 1, isSeen: true, at: 100)
        guard case .takenBack = confirmation.update(nil, action: nil, isSeen: true, at: 0) else {
            Issue.record("it still waits")
            return
        }
        guard case .nothing = confirmation.cancel() else {
            Issue.record("there is something to take back")
            return
        }
    }
}
