import FaceGeometry
import Glibc

/// The head as a solid: at every height a rounded cross-section whose half-width follows the jaw landmarks, and on
/// its front a relief (nose, brows, eyes, lips) that follows the other landmarks. Head units; z towards the viewer, 0 at the
/// outer corners of the eyes.
struct HeadShape: Sendable {
    let features: FaceFeatures
    private let identity: DrawnFace.Identity
    private let sections: [SIMD4<Float>]
    private let relief: FaceRelief
    /// Half of the distance between the ears.
    private let earWidth: Float

    /// A horizontal cross-section: x/halfWidth and (z − axis)/front or /back on a superellipse.
    private struct Section {
        /// Half-width, front, axis and back.
        let values: SIMD4<Float>
        var halfWidth: Float { values.x }
        var front: Float { values.y }
        var axis: Float { values.z }
        var back: Float { values.w }
    }

    private static let top: Float = -1.74
    private static let bottom: Float = 2.1
    private static let sectionCount = 512

    /// The lowest point of the chin.
    let chin: Float
    /// The head with its hair lies inside.
    let bounds: (lowerBound: SIMD3<Float>, upperBound: SIMD3<Float>)
    /// Hair is never thicker.
    private static let thickestHair: Float = 0.25

    init(features: FaceFeatures, identity: DrawnFace.Identity) {
        self.features = features
        self.identity = identity
        let chin = features.points[Landmarks.topology.chin].y
        self.chin = chin
        earWidth = features.points[Landmarks.topology.leftEar].x
        let outline = Self.outline(features)
        let sections = (0..<Self.sectionCount).map { index in
            let y = Self.top + (Self.bottom - Self.top) * Float(index) / Float(Self.sectionCount - 1)
            return Self.section(at: y, outline: outline, features: features, identity: identity)
        }
        self.sections = sections.map(\.values)
        relief = FaceRelief(features)
        let side = (sections.map(\.halfWidth).max() ?? 0) + Self.thickestHair
        let back = (sections.map { $0.axis - $0.back }.min() ?? 0) - Self.thickestHair
        // The nose stands out by less than one.
        let front = (sections.map { $0.axis + $0.front }.max() ?? 0) + 1
        bounds = (SIMD3(-side, Self.top - Self.thickestHair, back), SIMD3(side, chin + 0.1, front))
    }

    // MARK: Cross-sections

    /// Half-width by height, from the crown over the ears along the jaw to the chin.
    private static func outline(_ features: FaceFeatures) -> [Point] {
        let width = features.points[Landmarks.topology.leftEar].x
        let crown: [Point] = [
            Point(0, -1.74), Point(0.30, -1.70), Point(0.55, -1.58), Point(0.78, -1.34), Point(0.94, -1.0),
            Point(1.015, -0.65), Point(1.02, -0.3),
        ].map { Point($0.x * width, $0.y) }
        let topology = Landmarks.topology
        let jaw = topology.jaw[(topology.jaw.count / 2)...].reversed().map { features.points[$0] }
        return Curve(through: crown + jaw, stepsPerSpan: 12).points
    }

    /// The front of the face in the middle, without the nose: (y, z).
    private static let profile = Curve(through: [
        Point(-1.74, -0.85), Point(-1.66, -0.50), Point(-1.5, -0.24), Point(-1.25, -0.01), Point(-1.0, 0.13),
        Point(-0.7, 0.22), Point(-0.4, 0.25), Point(-0.2, 0.20), Point(0, 0.17), Point(0.3, 0.20), Point(0.6, 0.27),
        Point(0.8, 0.34), Point(1.0, 0.36), Point(1.15, 0.31), Point(1.3, 0.25), Point(1.45, 0.24), Point(1.56, 0.12),
        Point(1.62, -0.12), Point(1.8, -0.4), Point(2.2, -0.5),
    ]).points

    private static func section(
        at y: Float, outline: [Point], features: FaceFeatures, identity: DrawnFace.Identity
    ) -> Section {
        // Below the mouth the face moves down with the jaw.
        let unmoved = y - features.jawDrop * smoothstep(0.9, 1.4, y)
        let halfWidth = interpolate(outline, at: y, value: { $0.x }, by: { $0.y })
        let front = interpolate(profile, at: unmoved, value: { $0.y }, by: { $0.x })
        // The widest place is in front of the ears, and moves forward towards the chin.
        let axis: Float = -0.62 + 0.34 * smoothstep(0.7, 1.6, unmoved)
        let crown = max(0, 1 - ((y + 0.35) / 1.4) * ((y + 0.35) / 1.4))
        let back = y < -0.35 ? 1.62 * crown.squareRoot() : 1.62 - 1.0 * smoothstep(-0.1, 1.5, y)
        return Section(values: SIMD4(max(halfWidth, 0.001), max(front - axis, 0.02), axis, max(back, 0.02)))
    }

    @inline(__always)
    private func section(at y: Float) -> Section {
        let place = max(
            0,
            min(
                Float(Self.sectionCount - 1) - 0.001,
                (y - Self.top) / (Self.bottom - Self.top) * Float(Self.sectionCount - 1)))
        let index = Int(place)
        let t = place - Float(index)
        let (a, b) = (sections[index], sections[index + 1])
        return Section(values: a + (b - a) * t)
    }

    // MARK: The solid

    /// Negative inside the head, positive outside, roughly a distance near the surface.
    func value(at p: SIMD3<Float>) -> Float {
        // Hair is an offset surface: the point is moved towards the middle of the head by the hair's thickness.
        let bald = baldValue(at: p)
        // Far away an estimate is enough.
        if bald > 2 * Self.thickestHair { return bald - Self.thickestHair }
        let thickness = hairThickness(at: p)
        guard thickness > 0 else { return bald }
        let middle = SIMD3<Float>(0, min(p.y, -0.35), -0.75)
        let offset = p - middle
        let length = max((offset * offset).sum().squareRoot(), 1e-6)
        return baldValue(at: p - offset * (thickness / length))
    }

    private func baldValue(at p: SIMD3<Float>) -> Float {
        // Above and below there are no sections; the distance to the last one is used.
        let crown = Self.top + 0.004
        guard p.y > crown else { return (p - SIMD3(0, crown, -0.85)).y.magnitude + 0.02 }
        guard p.y < chin - 0.01 else { return p.y - chin + 0.03 }
        let section = section(at: p.y)
        let u = p.x / section.halfWidth
        let isFront = p.z > section.axis
        // The relief fades out at the sides of the head.
        let raised = isFront ? p.z - relief.height(x: p.x, y: p.y) * smoothstep(0, 0.25, p.z - section.axis) : p.z
        let depth = isFront ? section.front : section.back
        let v = (raised - section.axis) / depth
        let circle = (u * u + v * v).squareRoot()
        guard isFront else { return (circle - 1) * min(section.halfWidth, depth) }
        // A little squarer than an ellipse: power 2.3. Away from the surface a lower bound saves computing powers: the
        // norm with this power is at least 2^(1/2.3 − 1/2) of the Euclidean one.
        let least = 0.955 * circle
        let radius = least > 1.15 ? least : powf(powf(abs(u), 2.3) + powf(abs(v), 2.3), 1 / 2.3)
        return (radius - 1) * min(section.halfWidth, depth)
    }

    /// How far the head with its hair reaches in a direction at most.
    /// - Parameter normal: of length 1.
    func reach(along normal: SIMD3<Float>) -> Float {
        let hair = identity.hairVolume > 0 ? Self.hairThickness * identity.hairVolume + Self.strandThickness : 0
        let step = (Self.bottom - Self.top) / Float(Self.sectionCount - 1)
        var reach = -Float.infinity
        for (index, values) in sections.enumerated() {
            let (section, y) = (Section(values: values), Self.top + step * Float(index))
            guard y < chin + step else { break }
            let depth = normal.z > 0 ? section.front : section.back
            let (across, along) = (normal.x * section.halfWidth, normal.z * depth)
            var outline = (across * across + along * along).squareRoot()
            if normal.z > 0 {
                // The front is squarer than an ellipse; see `baldValue`.
                outline = outline / 0.955 + normal.z * relief.greatestHeight(from: y - step, to: y + step)
            }
            // Frayed hair hangs a little lower than the nape, and stands out from a place that is lower still.
            let hangs = y < nape + 0.03 + hair ? hair : 0
            reach = max(reach, outline + normal.y * y + normal.z * section.axis + hangs)
        }
        return reach
    }

    /// The depth (z) of the skin at a point of the frontal view.
    func depth(atX x: Float, y: Float) -> Float {
        let section = section(at: y)
        let u = min(1, abs(x) / section.halfWidth)
        let plain = section.axis + section.front * powf(max(0, 1 - powf(u, 2.3)), 1 / 2.3)
        // The relief fades with depth, which depends on the relief: a few iterations converge.
        var z = plain
        for _ in 0..<8 { z = plain + relief.height(x: x, y: y) * smoothstep(0, 0.25, z - section.axis) }
        return z
    }

    /// The outermost point of the cross-section at a height when the head is rotated by `yaw` radians.
    /// - Parameter side: −1 (left in the picture) or +1.
    func silhouette(y: Float, side: Float, yaw: Float) -> SIMD3<Float> {
        let section = section(at: y)
        var best = SIMD3<Float>(side * section.halfWidth, y, section.axis)
        var bestX = -Float.infinity
        for step in 0...180 {
            let angle = Float(step) / 180 * .pi - .pi / 2  // −90°: back, 90°: front
            let (s, c) = (sin(angle), cos(angle))
            let power: Float = s > 0 ? 2.3 : 2
            let x = section.halfWidth * powf(abs(c), 2 / power)
            let z = section.axis + (s > 0 ? section.front : -section.back) * powf(abs(s), 2 / power)
            let turned = x * cos(yaw) + side * z * sin(yaw)
            if turned > bestX {
                bestX = turned
                best = SIMD3(side * x, y, z)
            }
        }
        return best
    }

    // MARK: Hair

    /// Of a whole volume, and how much single strands stand out.
    private static let (hairThickness, strandThickness): (Float, Float) = (0.22, 0.006)
    /// The lowest hair.
    private var nape: Float { identity.isLongHaired ? 2.0 : 0.75 }

    /// How deep inside the hair a point of the head lies; above 0 there is hair.
    func hairDepth(at p: SIMD3<Float>) -> Float {
        guard identity.hairVolume > 0 else { return -1 }
        return plainHairDepth(at: p) - hairlineNoise(at: p)
    }

    /// The depth in hair with a smooth hairline.
    private func plainHairDepth(at p: SIMD3<Float>) -> Float {
        let side = abs(p.x) / earWidth
        // The hairline: highest in the middle, down in front of the ears, lower behind them.
        let front = -1.20 + identity.fringe + 0.24 * side * side + 0.5 * smoothstep(0.78, 1.0, side)
        let sideburn = smoothstep(-0.35, -0.55, p.z)
        let behind = smoothstep(-0.85, -1.15, p.z)
        var line = front + (-0.12 - front) * sideburn
        line += (nape - line) * behind
        return line - p.y
    }

    /// How much the hairline is frayed: −0.025…0.025.
    private func hairlineNoise(at p: SIMD3<Float>) -> Float { 0.05 * (noise(p * 9) - 0.5) }

    private func hairThickness(at p: SIMD3<Float>) -> Float {
        guard identity.hairVolume > 0 else { return 0 }
        // The face below the eyes has none.
        if p.z > -0.35, p.y > 0, abs(p.x) < 1.3 * earWidth { return 0 }
        let plain = plainHairDepth(at: p)
        // Noise is costly, and makes a difference only near the hairline: this far outside it there is no hair …
        if plain < -0.026 { return 0 }
        // … and this far inside the hair has its full thickness.
        let depth = plain > 0.38 ? plain : plain - hairlineNoise(at: p)
        guard depth > 0 else { return 0 }
        return Self.hairThickness * identity.hairVolume * smoothstep(0, 0.35, depth) + Self.strandThickness
            * noise(SIMD3(p.x * 40, p.y * 8, p.z * 14))
    }
}
