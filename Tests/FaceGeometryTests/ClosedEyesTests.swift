import FaceGeometry
import TestSupport
import Testing

/// When eyes count as closed, by their lids and by the picture.
@Suite struct ClosedEyesTests {
    private let atRest: Expression

    init() throws { atRest = Expression(MeanFace(try Repository.referenceFace()).landmarks) }

    /// - Parameters:
    ///   - eyes: the aspect ratio, 0.30 at rest.
    ///   - uprightness: 1 at rest.
    private func measures(eyes: Float, uprightness: Float, hasExactLids: Bool) -> Expression {
        var expression = atRest
        (expression.rightEye, expression.leftEye) = (eyes, eyes)
        (expression.rightEyeUprightness, expression.leftEyeUprightness) = (uprightness, uprightness)
        expression.hasExactLids = hasExactLids
        return expression
    }

    @Test(arguments: [
        // The picture alone, lids alone if they are exact, eyes that are narrow in a laugh.
        (Float(0.25), Float(0.5), false, true), (0.05, 1, false, false), (0.05, 1, true, true), (0.22, 1, true, false),
        (0.25, 0.5, true, true),
    ])
    func eyesAreClosed(_ eyes: Float, _ uprightness: Float, _ hasExactLids: Bool, _ isClosed: Bool) {
        var events = ExpressionEvents()
        for _ in 0..<60 {
            events.update(measures(eyes: 0.30, uprightness: 1, hasExactLids: hasExactLids), yaw: 0, seconds: 1 / 30)
        }
        #expect(events.states.isEmpty && events.blinks == 0)
        for _ in 0..<4 {
            events.update(
                measures(eyes: eyes, uprightness: uprightness, hasExactLids: hasExactLids), yaw: 0, seconds: 1 / 30)
        }
        #expect(events.states.isSuperset(of: .eyesClosed) == isClosed && events.blinks == (isClosed ? 1 : 0))
    }

    /// In a smile, open eyes look narrow in the picture: exact lids say that they are open.
    @Test(arguments: [(Float(0.22), false), (0.165, true), (0.06, true)]) func eyesOfASmile(
        _ eyes: Float, _ isClosed: Bool
    ) {
        var events = ExpressionEvents()
        for _ in 0..<60 {
            events.update(measures(eyes: 0.30, uprightness: 1, hasExactLids: true), yaw: 0, seconds: 1 / 30)
        }
        for _ in 0..<4 {
            var smile = measures(eyes: eyes, uprightness: 0.5, hasExactLids: true)
            smile.mouthWidth *= 1.1
            events.update(smile, yaw: 0, seconds: 1 / 30)
        }
        #expect(events.states.isSuperset(of: .eyesClosed) == isClosed)
        // After a blink, the narrow eyes of a laugh are open again.
        for _ in 0..<4 {
            var smile = measures(eyes: 0.216, uprightness: 0.5, hasExactLids: true)
            smile.mouthWidth *= 1.1
            events.update(smile, yaw: 0, seconds: 1 / 30)
        }
        #expect(!events.states.contains(.eyesClosed))
    }
}
