import FaceGeometry

/// A face that is being followed, as it is in the last frame.
package struct TrackedFace: Sendable {
    /// The same for as long as it is the same person's, also after an absence. Counts from 1.
    package let trackID: Int
    /// With smoothed landmarks: what a mask is put on.
    package internal(set) var face: Face
    /// Before smoothing.
    package internal(set) var measurement: LandmarkMeasurement
    package internal(set) var expression: Expression
    package internal(set) var events: ExpressionEvents
    /// Frames since it was found, or found again.
    package internal(set) var age: Int

    /// What the renderer needs to know.
    package var instance: FaceInstance {
        FaceInstance(
            face: face, trackID: trackID, states: events.states, blinks: events.blinks,
            signals: ExpressionSignals(expression, rest: events.rest ?? expression, pose: face.pose))
    }
}
