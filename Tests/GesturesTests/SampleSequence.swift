import Gestures

/// A face that does something over time, as a tracker measures it: with noise, and with a rest that is its own.
struct SampleSequence {
    var framesPerSecond = 30.0
    /// Added to each measure of each frame, uniformly from − to +.
    var noise: Float = 0.02
    /// What the face is at rest.
    var rest = GestureSample()
    /// Times at which the face is not seen, in seconds.
    var losses: [Range<Double>] = []

    /// What is recognised.
    /// - Parameters:
    ///   - seconds: how long the sequence is.
    ///   - pose: changes the sample of a time in seconds.
    func recognized(
        for seconds: Double, by recognizer: inout GestureRecognizer, _ pose: (Double, inout GestureSample) -> Void
    ) -> [Gesture] {
        var random = SystemIndependentNumbers()
        return (0..<Int(seconds * framesPerSecond)).compactMap { index in
            let time = Double(index) / framesPerSecond
            var sample = rest
            pose(time, &sample)
            for part in Self.parts { sample[keyPath: part] += noise * random.next() }
            let isLost = losses.contains { $0.contains(time) }
            return recognizer.update(isLost ? nil : sample, at: time)
        }
    }

    func recognized(for seconds: Double, _ pose: (Double, inout GestureSample) -> Void) -> [Gesture] {
        var recognizer = GestureRecognizer()
        return recognized(for: seconds, by: &recognizer, pose)
    }

    private static let parts: [WritableKeyPath<GestureSample, Float> & Sendable] = [
        \.mouthOpening, \.smile, \.browRaise, \.eyeClosing, \.eyeOpenness, \.yaw, \.pitch, \.roll,
    ]
}

/// −1…1, the same on every machine (Knuth's constants).
private struct SystemIndependentNumbers {
    private var state: UInt64 = 1

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 23) - 1
    }
}

/// 0 outside, 1 inside, with ramps of 0.1 s at both ends.
func held(_ time: Double, _ range: ClosedRange<Double>) -> Float {
    Float(max(0, min(1, min(time - range.lowerBound, range.upperBound - time) / 0.1)))
}
