import FaceGeometry
import Glibc

/// A rotation of the head: first yaw, then pitch, then roll.
struct Rotation: Sendable {
    private let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    init(_ pose: Pose) {
        let (sy, cy) = (sin(pose.yaw), cos(pose.yaw))
        let (sp, cp) = (sin(-pose.pitch), cos(pose.pitch))
        let (sr, cr) = (sin(pose.roll), cos(pose.roll))
        // Yaw takes the nose (z) to the right (x); pitch, with y down, takes it up.
        let yawRows = (SIMD3(cy, 0, sy), SIMD3<Float>(0, 1, 0), SIMD3(-sy, 0, cy))
        func combine(_ a: SIMD3<Float>, _ m: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) -> SIMD3<Float> {
            a.x * m.0 + a.y * m.1 + a.z * m.2
        }
        let pitchRows = (SIMD3<Float>(1, 0, 0), SIMD3(0, cp, sp), SIMD3(0, -sp, cp))
        let turned = (combine(pitchRows.0, yawRows), combine(pitchRows.1, yawRows), combine(pitchRows.2, yawRows))
        let rollRows = (SIMD3(cr, -sr, 0), SIMD3(sr, cr, 0), SIMD3<Float>(0, 0, 1))
        rows = (combine(rollRows.0, turned), combine(rollRows.1, turned), combine(rollRows.2, turned))
    }

    func apply(_ v: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3((rows.0 * v).sum(), (rows.1 * v).sum(), (rows.2 * v).sum())
    }

    func applyInverse(_ v: SIMD3<Float>) -> SIMD3<Float> { v.x * rows.0 + v.y * rows.1 + v.z * rows.2 }
}
