import FaceGeometry
import FaceTracking
import Gestures
import SyntheticFaces
import TestSupport
import Testing
import TrackingEvaluation

/// 19 of 20 gestures on synthetic people, and none on a clip of talk.
@Suite struct AllGesturesTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func evaluation(_ kind: DrawnGesture.Kind, _ variations: Range<Int>) throws -> DrawnGestureEvaluation {
        try DrawnGestureEvaluation(
            kind, variations: variations, models: FaceModels(), reference: reference, isStopped: { false })
    }

    @Test(arguments: DrawnGesture.Kind.allCases)
    func nineteenOfTwenty(_ kind: DrawnGesture.Kind) throws {
        let result = try evaluation(kind, 0..<DrawnGesture.variations)
        #expect(kind == .none || result.found >= 19, "\(kind): \(result.found)")
        #expect(result.others == 0, "\(kind): \(result.others)")
    }

    @Test(
        .enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence)),
        arguments: [1, 2])
    func talkHasNoGesture(_ every: Int) throws {
        let result = try GestureEvaluation(
            clip: SharedData.root + "/clips/webcam_talking.mp4", every: every, models: FaceModels(),
            reference: reference, isStopped: { false })
        #expect(result.framesWithFaces > 2000 && result.recognized == [])
    }
}
