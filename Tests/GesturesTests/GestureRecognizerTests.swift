import Gestures
import Testing

@Suite struct GestureRecognizerTests {
    /// Makes a gesture, from the second on.
    private static func make(_ gesture: Gesture, _ time: Double, _ sample: inout GestureSample) {
        switch gesture {
        case .browsTwice: sample.browRaise += 0.8 * max(held(time, 1...1.4), held(time, 1.7...2.1))
        case .tiltLeft: sample.roll += 0.5 * held(time, 1...2.5)
        case .tiltRight: sample.roll -= 0.5 * held(time, 1...2.5)
        case .mouthOpen: sample.mouthOpening += 0.8 * held(time, 1...2.5)
        case .eyesShut:
            sample.eyeClosing += 0.7 * held(time, 1...3.4)
            sample.eyeOpenness -= 0.6 * held(time, 1...3.4)
            // The centre of closed eyes is lower, so the brows seem higher.
            sample.browRaise += 0.2 * held(time, 1...3.4)
        case .headShake:
            let turns: [(ClosedRange<Double>, Float)] = [
                (1...1.35, 0.3), (1.35...1.7, -0.3), (1.7...2.05, 0.3), (2.05...2.4, -0.3),
            ]
            sample.yaw += turns.reduce(0) { $0 + $1.1 * held(time, $1.0) }
        }
    }

    @Test(arguments: Gesture.allCases, [12.0, 15, 24, 30, 60])
    func eachGestureIsRecognizedOnceAtEachRate(_ gesture: Gesture, _ rate: Double) {
        let sequence = SampleSequence(framesPerSecond: rate)
        #expect(sequence.recognized(for: 5) { Self.make(gesture, $0, &$1) } == [gesture])
    }

    /// Somebody who sits aside of the camera, holds the head tilted a little and has high brows and narrow eyes.
    @Test(arguments: Gesture.allCases)
    func anotherFaceAtRest(_ gesture: Gesture) {
        var sequence = SampleSequence()
        (sequence.rest.yaw, sequence.rest.pitch, sequence.rest.roll) = (0.3, -0.25, gesture == .tiltLeft ? 0.12 : -0.12)
        (sequence.rest.browRaise, sequence.rest.eyeClosing, sequence.rest.smile) = (0.15, 0.2, 0.2)
        #expect(sequence.recognized(for: 5) { Self.make(gesture, $0, &$1) } == [gesture])
    }

    @Test func aHeldPoseIsOneGesture() {
        let found = SampleSequence().recognized(for: 12) { time, sample in
            sample.roll = 0.5 * max(held(time, 1...6), held(time, 7...9))
        }
        #expect(found == [.tiltLeft, .tiltLeft])
    }

    @Test func shortPosesAreNoGestures() {
        let found = SampleSequence().recognized(for: 12) { time, sample in
            sample.roll = 0.5 * held(time, 1...1.9)
            sample.mouthOpening = 0.9 * held(time, 3...3.9)
            sample.eyeClosing = 0.8 * held(time, 5...6.8)
            sample.eyeOpenness = 1 - 0.7 * held(time, 5...6.8)
            sample.yaw = 0.3 * held(time, 9...9.5)
        }
        #expect(found == [])
    }

    /// What happens in talk: each of these was, or nearly was, an accident on a real clip.
    @Test func similarMotionIsNoGesture() {
        let found = SampleSequence().recognized(for: 40) { time, sample in
            // Two blinks: brows seem to rise.
            for blink in [1.0...1.25, 1.6...1.85] {
                sample.browRaise += 0.6 * held(time, blink)
                sample.eyeClosing += 0.7 * held(time, blink)
                sample.eyeOpenness -= 0.6 * held(time, blink)
            }
            // A double raise in which the head moves.
            sample.browRaise += 0.8 * max(held(time, 4...4.4), held(time, 4.7...5.1))
            sample.yaw += 0.2 * held(time, 4.5...5.5)
            // One raise; a long one and a short one; two that are far from each other.
            sample.browRaise += 0.8 * max(held(time, 7...7.4), held(time, 10...11), held(time, 11.2...11.5))
            sample.browRaise += 0.8 * max(held(time, 14...14.4), held(time, 15.6...16))
            // A broad smile narrows the eyes; a look down does so, too, and raises the brows.
            sample.smile += 0.9 * held(time, 18...22)
            sample.eyeClosing += 0.6 * max(held(time, 18...22), held(time, 24...28))
            sample.eyeOpenness -= 0.5 * max(held(time, 18...22), held(time, 24...28))
            sample.browRaise += 0.7 * held(time, 24...28)
            // Words, and a head tilted by less.
            sample.mouthOpening += 0.7 * Float(max(0, (time * 20).truncatingRemainder(dividingBy: 6.28) - 4))
            sample.roll += 0.3 * held(time, 30...34)
            // One look to the side and back.
            sample.yaw += 0.4 * held(time, 36...37)
        }
        #expect(found == [])
    }

    /// Of a face of 70 pixels: one raise of the two is measured low, and the lids seem to fall with the brows.
    @Test(arguments: [12.0, 15, 24, 30, 60])
    func raisedBrowsOfASmallFace(_ rate: Double) {
        let found = SampleSequence(framesPerSecond: rate).recognized(for: 5) { time, sample in
            sample.browRaise += 0.4 * held(time, 1...1.4) + 0.8 * held(time, 1.7...2.1)
            sample.eyeClosing += 0.4 * max(held(time, 1.4...1.6), held(time, 2.1...2.3))
        }
        #expect(found == [.browsTwice])
    }

    @Test func twoWeakRaisesAreNoGesture() {
        let found = SampleSequence().recognized(for: 5) { time, sample in
            sample.browRaise += 0.45 * max(held(time, 1...1.4), held(time, 1.7...2.1))
        }
        #expect(found == [])
    }

    /// Of a face of 70 pixels: open eyes measure above 1, and both measures tremble and fail for a while.
    @Test(arguments: [12.0, 15, 24, 30, 60])
    func shutEyesOfASmallFace(_ rate: Double) {
        var sequence = SampleSequence(framesPerSecond: rate)
        sequence.rest.eyeOpenness = 1.3
        sequence.noise = 0.05
        let found = sequence.recognized(for: 6) { time, sample in
            let shut = held(time, 2...4.6) - 0.6 * held(time, 3.6...4)
            sample.eyeClosing += 0.15 * shut
            sample.eyeOpenness -= 0.5 * shut
        }
        #expect(found == [.eyesShut])
    }

    /// Eyes that are narrow for long, because somebody reads below the camera, and blinks: the brows, which are measured
    /// from the eyes, go up for a moment.
    @Test(arguments: [12.0, 24, 30])
    func narrowEyesThatBlinkAreNotShut(_ rate: Double) {
        let found = SampleSequence(framesPerSecond: rate).recognized(for: 10) { time, sample in
            let blink = max(held(time, 3.5...3.7), held(time, 5.3...5.5), held(time, 7.1...7.3))
            sample.eyeClosing += held(time, 2...9) * (0.25 + 0.4 * blink)
            sample.eyeOpenness -= 0.35 * held(time, 2...9)
            sample.browRaise += 0.85 * blink
        }
        #expect(found == [])
    }

    @Test func aFrameThatIsMissingDoesNotEndAGestureAndALongLossDoes() {
        var sequence = SampleSequence()
        sequence.losses = [1.5..<1.6]
        #expect(sequence.recognized(for: 4) { Self.make(.mouthOpen, $0, &$1) } == [.mouthOpen])
        sequence.losses = [1.5..<2.0]
        #expect(sequence.recognized(for: 4) { Self.make(.mouthOpen, $0, &$1) } == [])
    }

    @Test func valuesThatAreNoNumbersAreNoSamples() {
        var recognizer = GestureRecognizer()
        var found: [Gesture] = []
        for frame in 0..<150 {
            var sample = GestureSample()
            Self.make(.tiltRight, Double(frame) / 30, &sample)
            if frame % 5 == 0 { sample.roll = .nan }
            if frame % 7 == 0 { sample.mouthOpening = .infinity }
            let seconds = frame % 11 == 0 ? Double.nan : Double(frame) / 30
            if let gesture = recognizer.update(sample, at: seconds) { found.append(gesture) }
        }
        #expect(found == [.tiltRight])
    }

    /// A clip that begins again, and one whose times jump.
    @Test func timesMayJump() {
        var recognizer = GestureRecognizer()
        let sequence = SampleSequence()
        #expect(sequence.recognized(for: 2, by: &recognizer) { Self.make(.tiltLeft, $0, &$1) } == [])
        #expect(sequence.recognized(for: 5, by: &recognizer) { Self.make(.tiltLeft, $0, &$1) } == [.tiltLeft])
        #expect(recognizer.update(GestureSample(), at: 1e9) == nil)
        #expect(recognizer.update(GestureSample(), at: -1e9) == nil)
        #expect(recognizer.update(nil, at: .infinity) == nil)
    }

    @Test func progressGrowsWhileAGestureIsHeld() {
        var recognizer = GestureRecognizer()
        var fractions: [Float] = []
        for frame in 0..<90 {
            var sample = GestureSample()
            sample.mouthOpening = frame < 30 ? 0 : 0.9
            let gesture = recognizer.update(sample, at: Double(frame) / 30)
            if let progress = recognizer.progress {
                #expect(progress.gesture == .mouthOpen && gesture == nil)
                fractions.append(progress.fraction)
            }
        }
        #expect(fractions.count > 20 && fractions == fractions.sorted() && (fractions.last ?? 0) > 0.9)
        #expect(recognizer.progress == nil)
    }
}
