import Glibc

/// p ↦ linear · p + translation in space.
package struct AffineTransform3D: Equatable, Sendable {
    /// The images of the axes x, y and z.
    package var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    package var translation: SIMD3<Float>

    package static let identity = AffineTransform3D(
        columns: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), translation: .zero)

    package init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), translation: SIMD3<Float>) {
        self.columns = columns
        self.translation = translation
    }

    /// A scale, then a rotation by a unit quaternion (x, y, z, w), then a translation.
    package init(scale: SIMD3<Float>, rotation q: SIMD4<Float>, translation: SIMD3<Float>) {
        let (x, y, z, w) = (q.x, q.y, q.z, q.w)
        columns = (
            scale.x * SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            scale.y * SIMD3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            scale.z * SIMD3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        )
        self.translation = translation
    }

    /// The rotation of a head: first yaw, then pitch, then roll, in coordinates with y down.
    package init(_ pose: Pose) {
        let (sy, cy) = (sin(pose.yaw), cos(pose.yaw))
        let (sp, cp) = (sin(pose.pitch), cos(pose.pitch))
        let (sr, cr) = (sin(pose.roll), cos(pose.roll))
        columns = (
            SIMD3(cr * cy - sr * sp * sy, sr * cy + cr * sp * sy, -cp * sy), SIMD3(-sr * cp, cr * cp, sp),
            SIMD3(cr * sy + sr * sp * cy, sr * sy - cr * sp * cy, cp * cy)
        )
        translation = .zero
    }

    /// The angles of a rotation.
    package var pose: Pose {
        Pose(
            yaw: atan2(-columns.0.z, columns.2.z), pitch: asin(max(-1, min(1, columns.1.z))),
            roll: atan2(-columns.1.x, columns.1.y))
    }

    package func callAsFunction(_ p: SIMD3<Float>) -> SIMD3<Float> { turned(p) + translation }

    /// Without the translation.
    package func turned(_ d: SIMD3<Float>) -> SIMD3<Float> { d.x * columns.0 + d.y * columns.1 + d.z * columns.2 }

    /// The transform that applies `other` first.
    package func after(_ other: AffineTransform3D) -> AffineTransform3D {
        AffineTransform3D(
            columns: (turned(other.columns.0), turned(other.columns.1), turned(other.columns.2)),
            translation: self(other.translation))
    }

    /// The transform of normals, up to their length: the matrix of cofactors.
    package var cofactors: AffineTransform3D {
        AffineTransform3D(
            columns: (
                columns.1.cross(columns.2), columns.2.cross(columns.0), columns.0.cross(columns.1)
            ), translation: .zero)
    }

    /// Below 0: it mirrors.
    package var determinant: Float { (columns.0 * columns.1.cross(columns.2)).sum() }

    package static func == (a: AffineTransform3D, b: AffineTransform3D) -> Bool {
        a.columns == b.columns && a.translation == b.translation
    }
}

extension SIMD3<Float> {
    package func cross(_ other: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    package var length: Float { (self * self).sum().squareRoot() }

    /// Of length 1; nil for a vector without a direction.
    package var normalized: SIMD3<Float>? {
        let length = length
        return length > 1e-20 && length.isFinite ? self / length : nil
    }
}
