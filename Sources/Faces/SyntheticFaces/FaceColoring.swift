import FaceGeometry
import Glibc

/// The material at a point of the head: its colour (linear light) and its highlight.
struct SurfaceColor {
    var color: SIMD3<Float>
    /// Strength of the highlight.
    var gloss: Float
    /// Its sharpness.
    var sharpness: Float
    /// Where set, replaces the normal of the surface: eyeballs are smoother than the relief.
    var normal: SIMD3<Float>?
}

/// Colours of skin, lips, brows, eyes and hair, placed by the landmarks.
struct FaceColoring: Sendable {
    private let identity: DrawnFace.Identity
    private let shape: HeadShape
    private let eyes: [Eye]
    private let brows: [Curve]
    private let outerLips: Curve
    private let innerLips: Curve
    private let points: [Point]

    private struct Eye: Sendable {
        let upper: Curve
        let lower: Curve
        let outline: Curve
        let center: Point
        let pupil: Point
        let openness: Float
    }

    /// The centres of the right and the left pupil, in head units.
    var pupils: (right: Point, left: Point) { (eyes[0].pupil, eyes[1].pupil) }

    init(shape: HeadShape, identity: DrawnFace.Identity, expression: DrawnFace.Expression) {
        self.identity = identity
        self.shape = shape
        points = shape.features.points
        let p = points
        let topology = Landmarks.topology
        eyes = [topology.rightEye, topology.leftEye].map { eye in
            let upper = Curve(through: eye.upper.map { p[$0] })
            let lower = Curve(through: eye.lower.map { p[$0] })
            let (first, last) = (eye.pairs[0], eye.pairs[eye.pairs.count - 1])
            let height = (p[first.lower].y + p[last.lower].y - p[first.upper].y - p[last.upper].y) / 2
            let center = Point(
                (p[eye.right].x + p[eye.left].x) / 2, (p[first.lower].y + p[last.lower].y) / 2 - 0.058)
            // Half of the eyeball's radius, which is 0.4 of the distance between the corners.
            let lookingAside = 0.2 * (p[eye.left].x - p[eye.right].x)
            return Eye(
                upper: upper, lower: lower, outline: .closed(upper, lower), center: center,
                pupil: center + lookingAside * Point(expression.gazeTurn, -expression.gazeNod),
                openness: height / 0.105)
        }
        // The landmarks lie on the upper part of the brow.
        let drop = Point(0, 0.022 * identity.browThickness)
        brows = [topology.rightBrow, topology.leftBrow].map { Curve(through: $0.map { p[$0] + drop }) }
        func closed(_ contour: LandmarkTopology.Contour) -> Curve {
            .closed(Curve(through: contour.upper.map { p[$0] }), Curve(through: contour.lower.map { p[$0] }))
        }
        outerLips = closed(topology.outerLips)
        innerLips = closed(topology.innerLips)
    }

    func color(at p: SIMD3<Float>) -> SurfaceColor {
        let hair = shape.hairDepth(at: p)
        if hair > 0.03 { return hairColor(at: p) }
        var surface = skin(at: p)
        let place = Point(p.x, p.y)
        if p.z > -0.45 {
            paintLips(place, p, &surface)
            paintNostrils(place, &surface)
            paintBrows(place, p, &surface)
            for eye in eyes { paint(eye, place, p, &surface) }
        }
        if hair > -0.03 {
            let weight = smoothstep(-0.03, 0.03, hair)
            let strands = hairColor(at: p)
            surface.color = mix(surface.color, strands.color, weight)
        }
        return surface
    }

    func hairColor(at p: SIMD3<Float>) -> SurfaceColor {
        let angle = atan2(p.x, p.z + 0.7)
        let strand =
            noise(SIMD3(angle * 60, p.y * 2.2 + p.z * 2, 3)) * 0.7 + noise(SIMD3(angle * 150, p.y * 4, 9)) * 0.3
        return SurfaceColor(
            color: identity.hair * (0.45 + 1.1 * strand), gloss: 0.12 * strand, sharpness: 14, normal: nil)
    }

    private func skin(at p: SIMD3<Float>) -> SurfaceColor {
        var color = identity.skin
        // Cheeks, nose, chin and ears are redder, the forehead is yellower.
        let red = SIMD3<Float>(1.06, 0.80, 0.78)
        func blush(_ x: Float, _ y: Float, _ size: Float) -> Float {
            let (u, v) = ((abs(p.x) - x) / size, (p.y - y) / size)
            return exp(-(u * u + v * v))
        }
        let amount = 0.55 * blush(0.55, 0.52, 0.28) + 0.45 * blush(0, 0.5, 0.17) + 0.25 * blush(0, 1.45, 0.2)
        color *= mix(SIMD3(repeating: 1), red, min(1, amount))
        // Under the eyes it is darker and bluer.
        color *= mix(SIMD3(repeating: 1), SIMD3(0.86, 0.82, 0.86), min(1, blush(0.42, 0.17, 0.14)))
        if identity.stubble > 0, p.z > -0.6 {
            let beard = smoothstep(0.70, 0.95, p.y) * (0.6 + 0.4 * noise(p * 90))
            let mustache = exp(-powf((p.y - 0.76) / 0.07, 2)) * smoothstep(0.42, 0.25, abs(p.x))
            color = mix(
                color, identity.hair + SIMD3(repeating: 0.03), identity.stubble * 0.55 * min(1, beard + mustache))
        }
        color *= 0.94 + 0.07 * noise(p * 26) + 0.06 * noise(p * 70)
        return SurfaceColor(color: color, gloss: 0.05, sharpness: 9, normal: nil)
    }

    private func paintLips(_ place: Point, _ p: SIMD3<Float>, _ surface: inout SurfaceColor) {
        guard outerLips.isNear(place, margin: 0.06) else { return }
        let outer = outerLips.signedDistance(to: place)
        guard outer < 0.03 else { return }
        let lip = identity.skin * SIMD3(0.92, 0.50, 0.52)
        let wrinkles = 0.92 + 0.14 * noise(SIMD3(place.x * 60, place.y * 9, 5))
        let weight = smoothstep(0.016, -0.016, outer)
        surface.color = mix(surface.color, lip * wrinkles, 0.9 * weight)
        surface.gloss += 0.10 * weight
        surface.sharpness = 18
        let inner = innerLips.signedDistance(to: place)
        guard inner < 0.03 else { return }
        let mouth = mouthInside(place)
        let open = smoothstep(0.010, -0.008, inner)
        surface.color = mix(surface.color, mouth, open)
        let crease: Float = 0.75 * smoothstep(0.022, 0, abs(inner))
        let darkening: Float = crease * (1 - open * 0.4) * smoothstep(0.004, -0.012, outer)
        surface.color *= 1 - darkening
        if open > 0.5 { surface.normal = SIMD3(0, 0, 1) }
    }

    private func mouthInside(_ place: Point) -> SIMD3<Float> {
        let topology = Landmarks.topology
        let upper = points[topology.upperLipInnerCenter].y
        let teeth = upper + 0.085
        let dark = SIMD3<Float>(0.035, 0.008, 0.008)
        let tongue = SIMD3<Float>(0.30, 0.09, 0.08)
        let lowerLip = points[topology.lowerLipInnerCenter].y
        let tongueWeight =
            smoothstep(lowerLip - 0.13, lowerLip - 0.02, place.y) * smoothstep(0.25, 0.1, abs(place.x))
        if place.y < teeth && abs(place.x) < 0.29 {
            let gap = abs((place.x / 0.075) - (place.x / 0.075).rounded())
            return SIMD3<Float>(0.62, 0.57, 0.47) * (0.55 + 0.45 * smoothstep(0.5, 0.44, gap))
                * smoothstep(0.30, 0.15, abs(place.x))
        }
        return mix(dark, tongue, tongueWeight)
    }

    private func paintNostrils(_ place: Point, _ surface: inout SurfaceColor) {
        let topology = Landmarks.topology
        let (right, left) = (topology.nostrils[1], topology.nostrils[topology.nostrils.count - 2])
        let floor = (points[right].y + points[left].y) / 2 + 0.02
        for side: Float in [-1, 1] {
            let width = points[topology.leftWing].x
            let (u, v) = ((place.x - side * 0.105 * width / 0.203) / 0.052, (place.y - floor + 0.030) / 0.026)
            let hole: Float = exp(-(u * u + v * v) * 1.2)
            surface.color *= 1 - 0.85 * hole
            // The crease around the wing.
            let wing = Point(
                points[side < 0 ? topology.rightWing : topology.leftWing].x * 1.06, points[topology.rightWing].y - 0.03)
            let (s, t) = ((place.x - wing.x) / 0.03, (place.y - wing.y) / 0.085)
            let crease: Float = exp(-(s * s + t * t))
            surface.color *= 1 - 0.35 * crease
        }
        let base = (place.y - floor - 0.012) / 0.022
        surface.color *= 1 - 0.28 * exp(-base * base) * smoothstep(0.2, 0.1, abs(place.x))
    }

    private func paintBrows(_ place: Point, _ p: SIMD3<Float>, _ surface: inout SurfaceColor) {
        for brow in brows where brow.isNear(place, margin: 0.12) {
            let (distance, along) = brow.distance(to: place)
            let towardsNose = brow.points[0].x < 0 ? along : 1 - along
            // Thick near the nose, thin outside.
            let half = (0.022 + 0.034 * smoothstep(0, 0.6, towardsNose)) * identity.browThickness
            let hairs = 0.55 + 0.9 * noise(SIMD3(place.x * 70 + place.y * 45, place.y * 18, 2))
            let ends = smoothstep(0, 0.08, along) * smoothstep(1, 0.92, along)
            let weight = smoothstep(half, half * 0.35, distance) * min(1, hairs) * (0.35 + 0.65 * ends)
            surface.color = mix(surface.color, identity.hair * 0.8 + SIMD3(repeating: 0.004), 0.92 * weight)
            surface.gloss *= 1 - weight
        }
    }

    private func paint(_ eye: Eye, _ place: Point, _ p: SIMD3<Float>, _ surface: inout SurfaceColor) {
        guard eye.outline.isNear(place, margin: 0.2) else { return }
        let upper = eye.upper.distance(to: place)
        let lower = eye.lower.distance(to: place)
        let signed = eye.outline.signedDistance(to: place)
        // The fold of the lid lies above the upper rim.
        if place.y < eye.center.y + 0.05, signed > 0 {
            let fold = (upper.distance - 0.055) / 0.016
            surface.color *=
                1 - 0.42 * exp(-fold * fold) * smoothstep(0, 0.25, upper.along) * smoothstep(1.02, 0.8, upper.along)
            surface.color *= 1 - 0.10 * smoothstep(0.055, 0.0, upper.distance)
        }
        if signed < 0.006 && eye.openness > 0.08 {
            let inside = smoothstep(0.006, -0.006, signed)
            let ball = eyeball(eye, place, upper.distance)
            surface.color = mix(surface.color, ball.color, inside)
            surface.gloss = surface.gloss * (1 - inside) + ball.gloss * inside
            surface.sharpness = inside > 0.5 ? ball.sharpness : surface.sharpness
            if inside > 0.5 { surface.normal = ball.normal }
        }
        let lash = smoothstep(0.021, 0.006, upper.distance) * smoothstep(0, 0.1, upper.along)
        let lowerLash = 0.5 * smoothstep(0.011, 0.002, lower.distance)
        surface.color = mix(surface.color, SIMD3(0.012, 0.008, 0.007), min(1, 0.92 * lash + lowerLash))
        if lash > 0.3 { surface.gloss = 0 }
    }

    private func eyeball(_ eye: Eye, _ place: Point, _ lidDistance: Float) -> SurfaceColor {
        let offset = place - eye.center
        let onIris = place - eye.pupil
        let radius = onIris.length
        let irisRadius: Float = 0.080
        var color = SIMD3<Float>(0.74, 0.70, 0.68)
        // Whites are redder and darker towards the corners.
        color *= mix(SIMD3(repeating: 1), SIMD3(0.72, 0.58, 0.56), smoothstep(0.08, 0.19, abs(offset.x)))
        let angle = atan2(onIris.y, onIris.x)
        let fibres = 0.75 + 0.5 * noise(SIMD3(angle * 9, radius * 30, 1))
        let iris = identity.iris * fibres * (0.7 + 0.7 * smoothstep(irisRadius * 0.4, irisRadius, radius))
        color = mix(color, iris, smoothstep(irisRadius, irisRadius - 0.010, radius))
        color *= 1 - 0.65 * smoothstep(0.016, 0, abs(radius - irisRadius + 0.004))
        color = mix(color, SIMD3(repeating: 0.004), smoothstep(0.036, 0.028, radius))
        // The upper lid casts a shadow on the eyeball.
        color *= 1 - 0.55 * smoothstep(0.055, 0, lidDistance)
        let spot = onIris - Point(-0.024, -0.026)
        color += SIMD3(repeating: 0.9) * smoothstep(0.017, 0.010, spot.length)
        let bulge = Point(offset.x, offset.y) / 0.26
        let normal = SIMD3(bulge.x, bulge.y, max(0.2, 1 - (bulge * bulge).sum()).squareRoot())
        return SurfaceColor(color: color, gloss: 0.06, sharpness: 60, normal: normal)
    }
}
