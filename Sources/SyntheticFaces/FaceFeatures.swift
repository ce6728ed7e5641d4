import FaceGeometry

/// The 68 landmarks of a drawn face before the head is turned, in head units: half a mean face's width is 1, the
/// origin lies between the eyes, x to the right of the picture, y down.
struct FaceFeatures: Sendable {
    let points: [Point]
    /// How far the chin has dropped.
    let jawDrop: Float

    /// One head unit on the sheet of the reference face, as a share of its side.
    static let unit: Float = 301.2 / 1024
    private static let eyeLine: Float = 448.4 / 1024

    static func headPosition(onSheet point: Point) -> Point {
        Point((point.x - 0.5) / unit, (point.y - eyeLine) / unit)
    }

    init(identity: DrawnFace.Identity, expression: DrawnFace.Expression, reference: ReferenceFace) {
        var points = reference.landmarks.points.map(Self.headPosition)
        Self.apply(identity, to: &points)
        jawDrop = 0.30 * expression.mouthOpening
        Self.apply(expression, jawDrop: jawDrop, to: &points)
        self.points = points
    }

    var landmarks: Landmarks {
        guard let landmarks = Landmarks(points) else { preconditionFailure("what is drawn has finite landmarks") }
        return landmarks
    }

    private static func apply(_ identity: DrawnFace.Identity, to points: inout [Point]) {
        for index in Landmarks.nostrils { points[index].x *= identity.noseWidth }
        let lipLine = points[62].y
        for index in Landmarks.outerLips where index != 48 && index != 54 {
            points[index].y = lipLine + (points[index].y - lipLine) * identity.lipFullness
        }
        // The mean mouth is a little open; a face at rest has it closed.
        for (upper, lower) in [(61, 67), (62, 66), (63, 65)] {
            let middle = (points[upper].y + points[lower].y) / 2
            points[upper].y = middle - 0.006
            points[lower].y = middle + 0.006
        }
        for index in Landmarks.jaw {
            let share = smoothstep(0.2, 1.4, points[index].y)
            points[index].x *= 1 + (identity.jawWidth - 1) * share
        }
        for index in points.indices { points[index].x *= identity.width }
    }

    private static func apply(_ expression: DrawnFace.Expression, jawDrop: Float, to points: inout [Point]) {
        // Lids: the upper one comes down on the lower one.
        for (upper, lower) in [(37, 41), (38, 40)] {
            points[upper].y = points[lower].y + (points[upper].y - points[lower].y) * expression.rightEyeOpenness
        }
        for (upper, lower) in [(43, 47), (44, 46)] {
            points[upper].y = points[lower].y + (points[upper].y - points[lower].y) * expression.leftEyeOpenness
        }
        for index in Array(Landmarks.rightBrow) + Array(Landmarks.leftBrow) {
            points[index].y -= 0.12 * expression.browRaise
        }
        // The jaw takes the lower lip along; the corners of the mouth go half-way and inwards.
        for index in [55, 56, 57, 58, 59, 65, 66, 67] { points[index].y += 0.95 * jawDrop }
        for index in [48, 54, 60, 64] {
            points[index].y += 0.35 * jawDrop
            points[index].x *= 1 - 0.25 * jawDrop
        }
        for index in [61, 62, 63] { points[index].y -= 0.08 * jawDrop }
        for index in Landmarks.jaw {
            let share = smoothstep(0.5, 1.35, points[index].y)
            points[index].y += jawDrop * share
        }
        // A smile pulls the corners out and up, and the upper lip flat.
        let smile = expression.smile
        for (index, share) in [(48, 1), (54, 1), (60, 1), (64, 1), (49, 0.5), (53, 0.5), (59, 0.5), (55, 0.5)]
            as [(Int, Float)]
        {
            points[index].x *= 1 + 0.18 * smile * share
            points[index].y -= 0.10 * smile * share
        }
    }
}

func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = max(0, min(1, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)
}

func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float) -> SIMD3<Float> { a + (b - a) * share }
