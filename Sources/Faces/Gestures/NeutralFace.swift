import FaceGeometry

/// One person's samples at rest: slow averages in which gestures count little. The head of somebody
/// who sits beside the camera is turned, and somebody's brows are measured as raised a little.
struct NeutralFace: Sendable {
    private(set) var browRaise: Float = 0
    private(set) var eyeClosing: Float = 0
    /// Of small faces it is above 1: that of the wider eye of two that tremble.
    private(set) var eyeOpenness: Float = 1
    private(set) var pitch: Float = 0
    private(set) var roll: Float = 0
    private var age: Float?

    /// - Parameter seconds: since the sample before.
    mutating func learn(_ sample: GestureSample, seconds: Float) {
        guard let before = age else {
            age = 0
            // The first sample may be within a gesture.
            browRaise = min(sample.browRaise, 0.2)
            eyeClosing = min(sample.eyeClosing, 0.3)
            eyeOpenness = min(1.3, max(1, sample.eyeOpenness))
            pitch = min(0.4, max(-0.4, sample.pitch))
            roll = min(0.15, max(-0.15, sample.roll))
            return
        }
        age = before + seconds
        // Within a second at first, within ten later.
        let weight = OneEuroFilter.weight(cutoff: max(0.016, 0.16 / max(before, 1)), seconds: seconds)
        Self.draw(&browRaise, sample.browRaise, tolerance: 0.15, weight)
        Self.draw(&eyeClosing, sample.eyeClosing, tolerance: 0.15, weight)
        Self.draw(&eyeOpenness, sample.eyeOpenness, tolerance: 0.15, weight)
        Self.draw(&pitch, sample.pitch, tolerance: 0.12, weight)
        Self.draw(&roll, sample.roll, tolerance: 0.12, weight)
        // Whatever somebody does for long, it does not become impossible to do a gesture.
        browRaise = min(browRaise, 0.4)
        eyeClosing = min(eyeClosing, 0.4)
        eyeOpenness = min(1.5, max(0.9, eyeOpenness))
        roll = min(0.25, max(-0.25, roll))
    }

    /// - Parameter tolerance: a sample that is farther off by this counts half.
    private static func draw(_ value: inout Float, _ target: Float, tolerance: Float, _ weight: Float) {
        let distance = (target - value) / tolerance
        value += weight / (1 + distance * distance) * (target - value)
    }
}
