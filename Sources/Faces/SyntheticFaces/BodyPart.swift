import FaceGeometry

/// An ellipsoid of the body. Ears and hair rotate with the head; neck and shoulders do not.
struct BodyPart {
    var center: SIMD3<Float>
    var radii: SIMD3<Float>
    var color: SIMD3<Float>
    var rotatesWithHead = false
    var isShadedByChin = false
    var isHair = false

    static func all(_ face: DrawnFace) -> [BodyPart] {
        let skin = face.identity.skin
        let width = face.identity.width
        var parts = [
            BodyPart(
                center: SIMD3(0, 1.9, -0.85), radii: SIMD3(0.58, 1.6, 0.52), color: skin * 0.95, isShadedByChin: true),
            BodyPart(center: SIMD3(0, 3.45, -1.0), radii: SIMD3(2.35, 1.35, 0.95), color: face.identity.shirt),
            BodyPart(
                center: SIMD3(-1.03 * width, 0.16, -0.78), radii: SIMD3(0.11, 0.30, 0.19),
                color: skin * SIMD3(0.95, 0.80, 0.78), rotatesWithHead: true),
            BodyPart(
                center: SIMD3(1.03 * width, 0.16, -0.78), radii: SIMD3(0.11, 0.30, 0.19),
                color: skin * SIMD3(0.95, 0.80, 0.78), rotatesWithHead: true),
        ]
        if face.identity.isLongHaired {
            for side: Float in [-1, 1] {
                parts.append(
                    BodyPart(
                        center: SIMD3(side * 0.93 * width, 0.72, -1.02), radii: SIMD3(0.42, 2.05, 0.55),
                        color: face.identity.hair, rotatesWithHead: true, isHair: true))
            }
        }
        return parts
    }

    /// Distance along a ray and the normal, both in the frame of the ray: the head's if the part rotates with it, else the
    /// picture's.
    func hit(_ origin: SIMD3<Float>, _ ray: SIMD3<Float>) -> (Float, SIMD3<Float>)? {
        let o = (origin - center) / radii
        let d = ray / radii
        let a = (d * d).sum()
        let b = (o * d).sum()
        let discriminant = b * b - a * ((o * o).sum() - 1)
        guard discriminant > 0 else { return nil }
        let t = (-b - discriminant.squareRoot()) / a
        guard t > 0 else { return nil }
        let gradient = (o + t * d) / radii
        return (t, gradient / (gradient * gradient).sum().squareRoot())
    }
}
