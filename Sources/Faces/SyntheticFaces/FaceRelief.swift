import FaceGeometry
import Glibc

/// How far the skin of a synthetic face stands out from the plain cross-sections of the head, in head units: nose, brows,
/// eyes, cheeks and lips, on a grid over the front of the face.
struct FaceRelief: Sendable {
    private static let side = 320
    private static let left: Float = -1.15
    private static let top: Float = -1.3
    private static let step: Float = 3.3 / 320

    private static let xs = (0..<side).map { left + Float($0) * step }
    private static let ys = (0..<side).map { top + Float($0) * step }

    /// Row by row.
    private var heights = [Float](repeating: 0, count: side * side)
    /// Of each row.
    private var greatestHeights: [Float] = []

    init(_ features: FaceFeatures) {
        let points = features.points
        let topology = Landmarks.topology
        let noseWidth = points[topology.leftWing].x / 0.203
        let tip = points[topology.noseTip].y + 0.02  // annotators put the base of the nose a little lower
        addNose(tip: tip, width: noseWidth)
        for side: Float in [-1, 1] {
            // Wing of the nose, cheekbone, the fold beside the mouth, the hollow of the cheek.
            bump(0.15, side * 0.155 * noseWidth, tip + 0.075, 0.065 * noseWidth, 0.075)
            bump(0.07, side * 0.60, 0.40, 0.22, 0.20)
            bump(-0.025, side * 0.42, 0.78, 0.06, 0.16)
            bump(-0.05, side * 0.80, 0.75, 0.2, 0.3)
        }
        let eyes = [topology.rightEye, topology.leftEye].map { features.landmarks.center(of: $0.outline) }
        let brows = [topology.rightBrow, topology.leftBrow].map { points[$0[$0.count / 2]] }
        for (eye, brow) in zip(eyes, brows) {
            bump(-0.15, eye.x, eye.y - 0.01, 0.24, 0.13)
            bump(0.11, eye.x, eye.y, 0.13, 0.085)
            bump(0.06, brow.x, brow.y + 0.06, 0.26, 0.08)
        }
        addMouth(features, tip: tip)
        greatestHeights = (0..<Self.side).map { heights[$0 * Self.side..<($0 + 1) * Self.side].max() ?? 0 }
    }

    /// The height at a point of the frontal view; 0 outside the grid.
    func height(x: Float, y: Float) -> Float {
        let u = (x - Self.left) / Self.step
        let v = (y - Self.top) / Self.step
        let last = Float(Self.side - 1)
        guard u >= 0, v >= 0, u < last, v < last else { return 0 }
        let (column, row) = (Int(u), Int(v))
        let (s, t) = (u - Float(column), v - Float(row))
        let index = row * Self.side + column
        let top = heights[index] + (heights[index + 1] - heights[index]) * s
        let below = index + Self.side
        let bottom = heights[below] + (heights[below + 1] - heights[below]) * s
        return top + (bottom - top) * t
    }

    /// Nowhere between two heights of the frontal view it is higher; at least 0.
    func greatestHeight(from top: Float, to bottom: Float) -> Float {
        let first = Int(((top - Self.top) / Self.step).rounded(.down))
        let last = Int(((bottom - Self.top) / Self.step).rounded(.down)) + 1
        guard first < Self.side, last >= 0 else { return 0 }
        return greatestHeights[max(0, first)...min(Self.side - 1, last)].reduce(0, max)
    }

    private mutating func addNose(tip: Float, width: Float) {
        // The ridge: (y, height).
        let ridge = Curve(through: [
            Point(-0.34, 0), Point(-0.15, 0.05), Point(0, 0.10), Point(0.15, 0.20), Point(0.3, 0.31),
            Point(tip - 0.06, 0.43), Point(tip + 0.03, 0.48), Point(tip + 0.10, 0.42), Point(tip + 0.16, 0.20),
            Point(tip + 0.21, 0.05), Point(tip + 0.27, 0),
        ]).points
        for row in 0..<Self.side {
            let ridgeHeight = interpolate(ridge, at: Self.ys[row], value: { $0.y }, by: { $0.x })
            let ridgeWidth = (0.085 + 0.06 * smoothstep(-0.1, 0.5, Self.ys[row])) * width
            for column in 0..<Self.side {
                let u = abs(Self.xs[column]) / ridgeWidth
                heights[row * Self.side + column] = ridgeHeight / (1 + u * u * u * 0.55)
            }
        }
    }

    private mutating func addMouth(_ features: FaceFeatures, tip: Float) {
        let (points, topology) = (features.points, Landmarks.topology)
        let lipCorner = points[topology.outerLips.left].x
        let (upperOuter, upperInner) = (points[topology.upperLipCenter].y, points[topology.upperLipInnerCenter].y)
        let (lowerOuter, lowerInner) = (points[topology.lowerLipCenter].y, points[topology.lowerLipInnerCenter].y)
        let upperLip = (upperOuter + upperInner) / 2
        let lowerLip = (lowerOuter + lowerInner) / 2
        let mouth = Self.xs.map { x in
            let across = x / max(lipCorner, 0.1)
            return max(0, 1 - across * across)
        }
        let slit = (upperInner + lowerInner) / 2
        let slitHalf = max(0.02, (lowerInner - upperInner) / 2)
        add(0.085, across: mouth, down: Self.gaussian(Self.ys, upperLip, 0.055))
        add(0.095, across: mouth, down: Self.gaussian(Self.ys, lowerLip, 0.06))
        add(-0.09, across: mouth, down: Self.gaussian(Self.ys, slit, slitHalf))
        bump(-0.02, 0, (tip + 0.16 + upperOuter) / 2, 0.045, 0.06)  // philtrum
        bump(-0.05, 0, lowerOuter + 0.13, 0.25, 0.06)
        bump(0.07, 0, 1.42 + features.jawDrop, 0.22, 0.12)
    }

    /// Adds a Gaussian with a height, a centre and standard deviations.
    private mutating func bump(_ height: Float, _ cx: Float, _ cy: Float, _ sx: Float, _ sy: Float) {
        add(height, across: Self.gaussian(Self.xs, cx, sx), down: Self.gaussian(Self.ys, cy, sy))
    }

    private mutating func add(_ height: Float, across: [Float], down: [Float]) {
        for row in 0..<Self.side where abs(down[row]) > 1e-5 {
            let factor = height * down[row]
            for column in 0..<Self.side { heights[row * Self.side + column] += factor * across[column] }
        }
    }

    private static func gaussian(_ places: [Float], _ center: Float, _ deviation: Float) -> [Float] {
        places.map { exp(-0.5 * (($0 - center) / deviation) * (($0 - center) / deviation)) }
    }
}

/// A value along a polyline whose points ascend in `key`, by linear interpolation.
///
/// Closures, not key paths: reading through a key path takes tens of nanoseconds, and a head asks for tens of thousands.
@inline(__always)
func interpolate(
    _ points: [Point], at place: Float, value: (Point) -> Float, by key: (Point) -> Float
) -> Float {
    guard let first = points.first, let last = points.last else { return 0 }
    if place <= key(first) { return value(first) }
    if place >= key(last) { return value(last) }
    for index in 1..<points.count where place <= key(points[index]) {
        let (a, b) = (points[index - 1], points[index])
        let t = (place - key(a)) / max(key(b) - key(a), 1e-6)
        return value(a) + (value(b) - value(a)) * t
    }
    return value(last)
}
