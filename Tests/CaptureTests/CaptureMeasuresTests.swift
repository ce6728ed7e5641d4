import Capture
import FaceGeometry
import Testing

@Suite struct CaptureMeasuresTests {
    private static let all = CaptureCondition.allCases

    private static func good() -> CaptureMeasures {
        var measures = CaptureMeasures()
        (measures.faces, measures.size, measures.smile, measures.blur) = (1, 0.4, 0.6, 0.3)
        return measures
    }

    @Test func nothingIsMissingOfAGoodFace() { #expect(Self.good().missing(Self.all) == []) }

    @Test(
        arguments: [
            (\CaptureMeasures.motion, Float(2), "Keep still"), (\.eyeOpenness, 0.4, "Open your eyes"),
            (\.smile, 0.1, "Smile"), (\.mouthOpening, 0.5, "Close your mouth"), (\.blur, 0.8, "not sharp"),
            (\.brightness, 0.1, "More light"), (\.brightness, 0.9, "Less light"), (\.overexposed, 0.3, "Less light"),
            (\.evenness, 0.2, "One side"), (\.size, 0.05, "Come nearer"), (\.outside, 0.3, "into the picture"),
            (\.pose.yaw, 0.4, "to your right"), (\.pose.yaw, -0.4, "to your left"), (\.pose.roll, 0.3, "upright"),
            (\.pose.pitch, 0.5, "Look down"), (\.pose.pitch, -0.5, "Look up"),
        ] as [(WritableKeyPath<CaptureMeasures, Float> & Sendable, Float, String)])
    func missingConditionsAreReported(
        _ part: WritableKeyPath<CaptureMeasures, Float> & Sendable, _ value: Float, _ words: String
    ) {
        var measures = Self.good()
        measures[keyPath: part] = value
        let missing = measures.missing(Self.all)
        #expect(missing.count == 1 && missing[0].contains(words), "\(missing)")
        measures[keyPath: part] = .nan
        #expect(part == \.size || part == \.outside || part == \.overexposed || !measures.missing(Self.all).isEmpty)
    }

    @Test func otherConditionsAreNotMissing() {
        var measures = Self.good()
        (measures.smile, measures.motion, measures.faces) = (0, 5, 3)
        #expect(measures.missing([.frontal, .eyesOpen]) == [])
        #expect(measures.missing(Self.all) == ["Only one person, please", "Keep still", "Smile"])
        measures.faces = 0
        #expect(measures.missing([]) == ["No face visible"])
    }
}
