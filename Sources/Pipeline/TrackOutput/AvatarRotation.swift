import FaceGeometry
import Glibc

/// The rotation of a head as a unit quaternion in the coordinates of Unity, which the Virtual Motion Capture protocol uses:
/// left-handed, x to the avatar's own right, y up, z to where it looks.
package struct AvatarRotation: Equatable, Sendable {
    package let x: Float
    package let y: Float
    package let z: Float
    package let w: Float

    /// - Parameter pose: first yaw, then pitch, then roll, in the picture's coordinates.
    package init(_ pose: Pose) {
        let (sy, cy) = (sin(pose.yaw / 2), cos(pose.yaw / 2))
        let (sp, cp) = (sin(pose.pitch / 2), cos(pose.pitch / 2))
        let (sr, cr) = (sin(pose.roll / 2), cos(pose.roll / 2))
        // The product of the quaternions of roll (about z), pitch (about x) and yaw (about y), with x to the right of the
        // picture, y down and z towards the viewer. Unity's axes are these, turned by 180° about z: x and y change sign.
        x = -(cr * sp * cy - sr * cp * sy)
        y = -(cr * cp * sy + sr * sp * cy)
        z = cr * sp * sy + sr * cp * cy
        w = cr * cp * cy - sr * sp * sy
    }
}
