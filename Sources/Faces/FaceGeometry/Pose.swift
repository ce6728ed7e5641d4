/// The rotation of a head, in radians; all zero if it looks straight into the camera.
package struct Pose: Equatable, Sendable {
    /// About the vertical axis; positive if the face turns to the right of the picture.
    package var yaw: Float
    /// About the axis from ear to ear; positive if the face looks up.
    package var pitch: Float
    /// About the viewing axis; positive if the head tilts clockwise in the picture.
    package var roll: Float

    package init(yaw: Float, pitch: Float, roll: Float) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }
}
