import FaceTracking
import SyntheticFaces
import TestSupport
import Testing
import TrackingEvaluation

@Suite struct GestureEvaluationTests {
    /// Each gesture of one person, at the lowest frame rate, because it has the fewest frames. A head that is shaken moves its
    /// nose and cheeks as something in front of it would.
    @Test(arguments: [(DrawnGesture.Kind.mouthOpen, 10), (.headShake, 0)])
    func aGestureIsRecognisedOnce(_ kind: DrawnGesture.Kind, _ variation: Int) throws {
        let result = try DrawnGestureEvaluation(
            kind, variations: [variation], models: FaceModels(), reference: Repository.referenceFace(),
            isStopped: { false })
        #expect(result.trials.map { $0.recognized.map(\.gesture) } == [[result.gesture].compactMap { $0 }])
        #expect(result.others == 0)
    }
}
