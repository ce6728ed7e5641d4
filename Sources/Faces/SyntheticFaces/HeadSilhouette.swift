import Glibc

/// Planes that touch the head all around its outline, as it is seen from one place: most rays that pass it are told from
/// those that meet it without being followed.
struct HeadSilhouette: Sendable {
    /// Normals that point away from the head, by component.
    private var x = SIMD16<Float>.zero
    private var y = SIMD16<Float>.zero
    private var z = SIMD16<Float>.zero
    /// How far along its normal each plane lies.
    private var offset = SIMD16<Float>.zero

    /// - Parameters: from where, and in which direction, in the head's own frame.
    init(of shape: HeadShape, from eye: SIMD3<Float>, towards view: SIMD3<Float>) {
        let distance = (eye * eye).sum().squareRoot()
        // Two axes of the picture.
        let side = Self.unit(Self.cross(view, abs(view.y) < 0.9 ? SIMD3(0, 1, 0) : SIMD3(1, 0, 0)))
        let up = Self.unit(Self.cross(side, view))
        for index in 0..<16 {
            let angle = 2 * Float.pi * Float(index) / 16
            let outwards = cosf(angle) * side + sinf(angle) * up
            // Tilted until the plane passes about through the eye; wherever it passes, the head is behind it.
            var normal = outwards
            for _ in 0..<3 {
                let tilt = shape.reach(along: normal) - (eye * normal).sum()
                normal = Self.unit(normal - tilt / distance * view)
            }
            (x[index], y[index], z[index]) = (normal.x, normal.y, normal.z)
            // Room for rounding.
            offset[index] = shape.reach(along: normal) + 1e-3 - (eye * normal).sum()
        }
    }

    /// Whether a ray from the eye may meet the head between two places on it; false only if it does not.
    func mayMeet(_ ray: SIMD3<Float>, from start: Float, to end: Float) -> Bool {
        let along = x * ray.x + y * ray.y + z * ray.z
        let distances = offset / along
        // It is behind the planes that it runs towards until it meets them, and behind the others from there on.
        let entry = max(start, distances.replacing(with: start, where: along .>= 0).max())
        let exit = min(end, distances.replacing(with: end, where: along .<= 0).min())
        return entry <= exit
    }

    private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> { v / (v * v).sum().squareRoot() }
}
