import FaceGeometry

/// A tracked face in the last frame.
package struct TrackedFace: Sendable {
    /// Counts from 1. A person who is recognised after an absence gets the same ID again.
    package let trackID: Int
    /// The face that masks are drawn on.
    package internal(set) var face: Face
    /// The data of a frame for look-ahead smoothing.
    package internal(set) var measurement: LandmarkMeasurement
    package internal(set) var expression: Expression
    package internal(set) var events: ExpressionEvents
    /// Number of frames since the track started, or started again.
    package internal(set) var age: Int
    /// Whether a detector has recognised the face where the track started.
    let isVouchedFor: Bool

    /// The value that masks are drawn from.
    package var instance: FaceInstance {
        let rest = events.rest ?? expression
        let signals = ExpressionSignals(expression, rest: rest, pose: face.pose)
        var instance = FaceInstance(
            face: face, trackID: trackID, states: events.states, blinks: events.blinks, signals: signals)
        instance.shapes = BlendShapes(expression, rest: rest, signals: signals)
        instance.eyeOpenness = events.eyeOpenness
        return instance
    }
}
