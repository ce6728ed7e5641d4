import FaceGeometry
import Glibc

/// The head as a solid: at every height a rounded cross-section whose half-width follows the jaw landmarks, and on
/// its front a relief (nose, brows, eyes, lips) that follows the others. Head units; z towards the viewer, 0 at the
/// outer corners of the eyes.
struct HeadShape: Sendable {
    let features: FaceFeatures
    private let identity: DrawnFace.Identity
    private let sections: [Section]
    private let relief: [Float]

    /// A horizontal cross-section: x/halfWidth and (z − axis)/front or /back on a superellipse.
    struct Section: Sendable {
        var halfWidth: Float
        var front: Float
        var axis: Float
        var back: Float
    }

    private static let top: Float = -1.74
    private static let bottom: Float = 2.1
    private static let sectionCount = 512
    private static let reliefSide = 320
    private static let reliefLeft: Float = -1.15
    private static let reliefTop: Float = -1.3
    private static let reliefStep: Float = 3.3 / 320

    /// The lowest point of the chin.
    let chin: Float

    init(features: FaceFeatures, identity: DrawnFace.Identity) {
        self.features = features
        self.identity = identity
        let chin = features.points[Landmarks.topology.chin].y
        self.chin = chin
        let outline = Self.outline(features)
        sections = (0..<Self.sectionCount).map { index in
            let y = Self.top + (Self.bottom - Self.top) * Float(index) / Float(Self.sectionCount - 1)
            return Self.section(at: y, outline: outline, features: features, identity: identity)
        }
        relief = Self.relief(features)
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
        let halfWidth = interpolate(outline, at: y, value: \.x, by: \.y)
        let front = interpolate(profile, at: unmoved, value: \.y, by: \.x)
        // The widest place lies before the ears, and moves forward towards the chin.
        let axis: Float = -0.62 + 0.34 * smoothstep(0.7, 1.6, unmoved)
        let crown = max(0, 1 - ((y + 0.35) / 1.4) * ((y + 0.35) / 1.4))
        let back = y < -0.35 ? 1.62 * crown.squareRoot() : 1.62 - 1.0 * smoothstep(-0.1, 1.5, y)
        return Section(
            halfWidth: max(halfWidth, 0.001), front: max(front - axis, 0.02), axis: axis, back: max(back, 0.02))
    }

    private static func interpolate(
        _ points: [Point], at place: Float, value: KeyPath<Point, Float>, by key: KeyPath<Point, Float>
    ) -> Float {
        guard let first = points.first, let last = points.last else { return 0 }
        if place <= first[keyPath: key] { return first[keyPath: value] }
        if place >= last[keyPath: key] { return last[keyPath: value] }
        for index in 1..<points.count where place <= points[index][keyPath: key] {
            let (a, b) = (points[index - 1], points[index])
            let t = (place - a[keyPath: key]) / max(b[keyPath: key] - a[keyPath: key], 1e-6)
            return a[keyPath: value] + (b[keyPath: value] - a[keyPath: value]) * t
        }
        return last[keyPath: value]
    }

    private func section(at y: Float) -> Section {
        let place = max(
            0,
            min(
                Float(Self.sectionCount - 1) - 0.001,
                (y - Self.top) / (Self.bottom - Self.top) * Float(Self.sectionCount - 1)))
        let index = Int(place)
        let t = place - Float(index)
        let (a, b) = (sections[index], sections[index + 1])
        return Section(
            halfWidth: a.halfWidth + (b.halfWidth - a.halfWidth) * t, front: a.front + (b.front - a.front) * t,
            axis: a.axis + (b.axis - a.axis) * t, back: a.back + (b.back - a.back) * t)
    }

    // MARK: Relief

    /// How far the skin stands out before the plain cross-section, on a grid over the front of the face.
    private static func relief(_ features: FaceFeatures) -> [Float] {
        let points = features.points
        let topology = Landmarks.topology
        let noseWidth = points[topology.leftWing].x / 0.203
        let lipCorner = points[topology.outerLips.left].x
        let (upperOuter, upperInner) = (points[topology.upperLipCenter].y, points[topology.upperLipInnerCenter].y)
        let (lowerOuter, lowerInner) = (points[topology.lowerLipCenter].y, points[topology.lowerLipInnerCenter].y)
        let upperLip = (upperOuter + upperInner) / 2
        let lowerLip = (lowerOuter + lowerInner) / 2
        let eyes = [topology.rightEye, topology.leftEye].map { features.landmarks.center(of: $0.outline) }
        let brows = [topology.rightBrow, topology.leftBrow].map { points[$0[$0.count / 2]] }
        let tip = points[topology.noseTip].y + 0.02  // annotators put the base of the nose a little lower
        let drop = features.jawDrop
        // The ridge of the nose: (y, height).
        let ridge = Curve(through: [
            Point(-0.34, 0), Point(-0.15, 0.05), Point(0, 0.10), Point(0.15, 0.20), Point(0.3, 0.31),
            Point(tip - 0.06, 0.43), Point(tip + 0.03, 0.48), Point(tip + 0.10, 0.42), Point(tip + 0.16, 0.20),
            Point(tip + 0.21, 0.05), Point(tip + 0.27, 0),
        ]).points
        let xs = (0..<reliefSide).map { reliefLeft + Float($0) * reliefStep }
        let ys = (0..<reliefSide).map { reliefTop + Float($0) * reliefStep }
        var relief = [Float](repeating: 0, count: reliefSide * reliefSide)
        func add(_ height: Float, across: [Float], down: [Float]) {
            for row in 0..<reliefSide where abs(down[row]) > 1e-5 {
                let factor = height * down[row]
                for column in 0..<reliefSide { relief[row * reliefSide + column] += factor * across[column] }
            }
        }
        func gaussian(_ places: [Float], _ center: Float, _ deviation: Float) -> [Float] {
            places.map { exp(-0.5 * (($0 - center) / deviation) * (($0 - center) / deviation)) }
        }
        func bump(_ height: Float, _ cx: Float, _ cy: Float, _ sx: Float, _ sy: Float) {
            add(height, across: gaussian(xs, cx, sx), down: gaussian(ys, cy, sy))
        }
        for row in 0..<reliefSide {
            let ridgeHeight = interpolate(ridge, at: ys[row], value: \.y, by: \.x)
            let ridgeWidth = (0.085 + 0.06 * smoothstep(-0.1, 0.5, ys[row])) * noseWidth
            for column in 0..<reliefSide {
                let u = abs(xs[column]) / ridgeWidth
                relief[row * reliefSide + column] = ridgeHeight / (1 + u * u * u * 0.55)
            }
        }
        for side: Float in [-1, 1] {
            // Wings of the nose, cheekbones, the fold beside the mouth.
            bump(0.15, side * 0.155 * noseWidth, tip + 0.075, 0.065 * noseWidth, 0.075)
            bump(0.07, side * 0.60, 0.40, 0.22, 0.20)
            bump(-0.025, side * 0.42, 0.78, 0.06, 0.16)
            bump(-0.05, side * 0.80, 0.75, 0.2, 0.3)
        }
        for (eye, brow) in zip(eyes, brows) {
            bump(-0.15, eye.x, eye.y - 0.01, 0.24, 0.13)
            bump(0.11, eye.x, eye.y, 0.13, 0.085)
            bump(0.06, brow.x, brow.y + 0.06, 0.26, 0.08)
        }
        let mouth = xs.map { x in
            let across = x / max(lipCorner, 0.1)
            return max(0, 1 - across * across)
        }
        let slit = (upperInner + lowerInner) / 2
        let slitHalf = max(0.02, (lowerInner - upperInner) / 2)
        add(0.085, across: mouth, down: gaussian(ys, upperLip, 0.055))
        add(0.095, across: mouth, down: gaussian(ys, lowerLip, 0.06))
        add(-0.09, across: mouth, down: gaussian(ys, slit, slitHalf))
        bump(-0.02, 0, (tip + 0.16 + upperOuter) / 2, 0.045, 0.06)  // philtrum
        bump(-0.05, 0, lowerOuter + 0.13, 0.25, 0.06)
        bump(0.07, 0, 1.42 + drop, 0.22, 0.12)
        return relief
    }

    private func reliefHeight(_ x: Float, _ y: Float) -> Float {
        let u = (x - Self.reliefLeft) / Self.reliefStep
        let v = (y - Self.reliefTop) / Self.reliefStep
        let last = Float(Self.reliefSide - 1)
        guard u >= 0, v >= 0, u < last, v < last else { return 0 }
        let (column, row) = (Int(u), Int(v))
        let (s, t) = (u - Float(column), v - Float(row))
        let index = row * Self.reliefSide + column
        let top = relief[index] + (relief[index + 1] - relief[index]) * s
        let below = index + Self.reliefSide
        let bottom = relief[below] + (relief[below + 1] - relief[below]) * s
        return top + (bottom - top) * t
    }

    // MARK: The solid

    /// Negative inside the head, positive outside, roughly a distance near the surface.
    func value(at p: SIMD3<Float>) -> Float {
        // Hair is the same solid, swollen: the point is moved towards the middle of the head by the hair's thickness.
        let bald = baldValue(at: p)
        // Far away the hair makes no difference worth its cost: it is never thicker than this.
        let thickest: Float = 0.25
        if bald > 2 * thickest { return bald - thickest }
        let thickness = hairThickness(at: p)
        guard thickness > 0 else { return bald }
        let middle = SIMD3<Float>(0, min(p.y, -0.35), -0.75)
        let offset = p - middle
        let length = max((offset * offset).sum().squareRoot(), 1e-6)
        return baldValue(at: p - offset * (thickness / length))
    }

    private func baldValue(at p: SIMD3<Float>) -> Float {
        // Above and below there are no sections; a distance to the last ones will do.
        let crown = Self.top + 0.004
        guard p.y > crown else { return (p - SIMD3(0, crown, -0.85)).y.magnitude + 0.02 }
        guard p.y < chin - 0.01 else { return p.y - chin + 0.03 }
        let section = section(at: p.y)
        let u = p.x / section.halfWidth
        let isFront = p.z > section.axis
        // The relief belongs to the front; at the sides of the head it fades away.
        let raised = isFront ? p.z - reliefHeight(p.x, p.y) * smoothstep(0, 0.25, p.z - section.axis) : p.z
        let depth = isFront ? section.front : section.back
        let v = (raised - section.axis) / depth
        let radius: Float
        if isFront {
            // Far away this much is certain, and costs no powers.
            let least = max(abs(u), abs(v))
            if least > 1.6 { return (least - 1) * min(section.halfWidth, depth) }
            // A little squarer than an ellipse: power 2.3.
            radius = powf(powf(abs(u), 2.3) + powf(abs(v), 2.3), 1 / 2.3)
        } else {
            radius = (u * u + v * v).squareRoot()
        }
        return (radius - 1) * min(section.halfWidth, depth)
    }

    /// Where the skin lies before a point of the frontal view.
    func depth(atX x: Float, y: Float) -> Float {
        let section = section(at: y)
        let u = min(1, abs(x) / section.halfWidth)
        let plain = section.axis + section.front * powf(max(0, 1 - powf(u, 2.3)), 1 / 2.3)
        // The relief fades towards the sides; a few rounds settle that.
        var z = plain
        for _ in 0..<8 { z = plain + reliefHeight(x, y) * smoothstep(0, 0.25, z - section.axis) }
        return z
    }

    /// The outermost point of the cross-section at a height, seen after turning the head by `yaw`; `side` is −1 or +1
    /// in the picture.
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

    /// How deep in the hair a point of the head lies: above 0 there is hair.
    func hairDepth(at p: SIMD3<Float>) -> Float {
        guard identity.hairVolume > 0 else { return -1 }
        return plainHairDepth(at: p) - hairlineNoise(at: p)
    }

    /// The depth in hair with a smooth hairline.
    private func plainHairDepth(at p: SIMD3<Float>) -> Float {
        let side = abs(p.x) / features.points[Landmarks.topology.leftEar].x
        // The hairline: highest in the middle, down before the ears, lower behind them.
        let front = -1.20 + 0.24 * side * side + 0.5 * smoothstep(0.78, 1.0, side)
        let sideburn = smoothstep(-0.35, -0.55, p.z)
        let behind = smoothstep(-0.85, -1.15, p.z)
        let nape: Float = identity.isLongHaired ? 2.0 : 0.75
        var line = front + (-0.12 - front) * sideburn
        line += (nape - line) * behind
        return line - p.y
    }

    /// How much the hairline is frayed: −0.025…0.025.
    private func hairlineNoise(at p: SIMD3<Float>) -> Float { 0.05 * (noise(p * 9) - 0.5) }

    private func hairThickness(at p: SIMD3<Float>) -> Float {
        guard identity.hairVolume > 0 else { return 0 }
        let plain = plainHairDepth(at: p)
        // Noise is costly, and makes a difference only near the hairline: this far outside it there is no hair …
        if plain < -0.026 { return 0 }
        // … and this far inside the hair has its full thickness.
        let depth = plain > 0.38 ? plain : plain - hairlineNoise(at: p)
        guard depth > 0 else { return 0 }
        return 0.22 * identity.hairVolume * smoothstep(0, 0.35, depth) + 0.006
            * noise(SIMD3(p.x * 40, p.y * 8, p.z * 14))
    }
}

/// Smooth value noise, 0…1, the same everywhere.
func noise(_ p: SIMD3<Float>) -> Float {
    let base = p.rounded(.down)
    let f = p - base
    let s = f * f * (SIMD3(repeating: 3) - 2 * f)
    let cell = SIMD3<Int32>(Int32(base.x), Int32(base.y), Int32(base.z))
    func corner(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
        var h = UInt32(
            bitPattern: (cell.x &+ x) &* 374_761_393 &+ (cell.y &+ y) &* 668_265_263 &+ (cell.z &+ z) &* 2_147_483_647)
        h = (h ^ (h >> 13)) &* 1_274_126_177
        h ^= h >> 16
        return Float(h & 0xFFFF) / 65535
    }
    func line(_ y: Int32, _ z: Int32) -> Float {
        let a = corner(0, y, z)
        return a + (corner(1, y, z) - a) * s.x
    }
    func plane(_ z: Int32) -> Float {
        let a = line(0, z)
        return a + (line(1, z) - a) * s.y
    }
    let a = plane(0)
    return a + (plane(1) - a) * s.z
}
