/// How a head is turned, in radians; all zero when it looks straight into the camera.
package struct Pose: Equatable, Sendable {
    /// About the vertical axis; positive when the subject turns to the right side of the picture.
    package var yaw: Float
    /// About the axis from ear to ear; positive when the subject looks up.
    package var pitch: Float
    /// About the axis of sight; positive when the head tilts clockwise in the picture.
    package var roll: Float

    package init(yaw: Float, pitch: Float, roll: Float) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }
}
