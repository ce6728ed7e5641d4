import FaceGeometry
import FaceTracking
import SyntheticFaces
import TestSupport
import Testing
import TrackingEvaluation

@Suite struct OcclusionEvaluationTests {
    @Test func changesBackAreFlicker() {
        var history = FlickerHistory()
        let inside = [true, true, true, false]
        // Steady; back after one frame; back after two; outside.
        let frames: [[Bool]] = [
            [false, false, false, false], [true, true, true, true], [true, false, true, false],
            [true, false, false, true], [true, false, false, false],
        ]
        #expect(frames.map { history.add($0, inside: inside) } == [0, 0, 1, 1, 0])
    }

    /// What docs/internals/tracking.md promises of hands, on a face that is tracked.
    @Test(arguments: OcclusionTracking.allCases)
    func handsAreShownAndFacesAreNot(tracking: OcclusionTracking) throws {
        let (reference, mesh) = (try Repository.referenceFace(), try Repository.mesh())
        let results = try OcclusionEvaluation.all(
            scale: 1, tracking: tracking, models: FaceModels(), reference: reference, mesh: mesh, isStopped: { false })
        let (hands, alone) = (results.filter { $0.handPixels > 0 }, results.filter { $0.handPixels == 0 })
        #expect(hands.count == DrawnSequence.hands.count)
        for result in results { #expect(result.unmaskedShare < 0.02 && result.flickerShare < 0.01, "\(result.name)") }
        let shown = Double(hands.reduce(0) { $0 + $1.shownHandPixels }) / Double(hands.reduce(0) { $0 + $1.handPixels })
        #expect(shown > 0.85, "\(shown)")
        for result in alone { #expect(result.unmaskedShare < 0.001, "\(result.name)") }
    }
}
