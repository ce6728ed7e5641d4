import FaceGeometry

/// The landmarks of a synthetic face before the head is rotated, in head units: half the width of the mean face is 1, the
/// origin lies between the eyes, x points to the right of the picture, y down.
struct FaceFeatures: Sendable {
    let points: [Point]
    /// How far the chin has moved down.
    let jawDrop: Float

    /// One head unit in canonical UV.
    static let unit: Float = 301.2 / 1024
    private static let eyeLine: Float = 448.4 / 1024

    static func headPosition(canonical point: Point) -> Point {
        Point((point.x - 0.5) / unit, (point.y - eyeLine) / unit)
    }

    init(identity: DrawnFace.Identity, expression: DrawnFace.Expression, reference: ReferenceFace) {
        var points = reference.landmarks.points.map(Self.headPosition(canonical:))
        Self.apply(identity, to: &points)
        jawDrop = 0.30 * expression.mouthOpening
        Self.apply(expression, jawDrop: jawDrop, to: &points)
        self.points = points
    }

    var landmarks: Landmarks {
        guard let landmarks = Landmarks(points) else { preconditionFailure("a synthetic face has finite landmarks") }
        return landmarks
    }

    private static func apply(_ identity: DrawnFace.Identity, to points: inout [Point]) {
        let topology = Landmarks.topology
        for index in topology.nostrils { points[index].x *= identity.noseWidth }
        let lipLine = points[topology.upperLipInnerCenter].y
        for index in topology.outerLips.pairs.flatMap({ [$0.upper, $0.lower] }) {
            points[index].y = lipLine + (points[index].y - lipLine) * identity.lipFullness
        }
        // The mean mouth is a little open; a face at rest has it closed.
        for pair in topology.innerLips.pairs {
            let middle = (points[pair.upper].y + points[pair.lower].y) / 2
            points[pair.upper].y = middle - 0.006
            points[pair.lower].y = middle + 0.006
        }
        for index in topology.jaw {
            let weight = smoothstep(0.2, 1.4, points[index].y)
            points[index].x *= 1 + (identity.jawWidth - 1) * weight
        }
        for index in points.indices { points[index].x *= identity.width }
    }

    private static func apply(_ expression: DrawnFace.Expression, jawDrop: Float, to points: inout [Point]) {
        let topology = Landmarks.topology
        // The upper lid moves down to the lower one.
        let lids = [(topology.rightEye, expression.rightEyeOpenness), (topology.leftEye, expression.leftEyeOpenness)]
        for (eye, openness) in lids {
            for pair in eye.pairs {
                points[pair.upper].y =
                    points[pair.lower].y + (points[pair.upper].y - points[pair.lower].y) * openness
            }
        }
        for index in topology.brows { points[index].y -= 0.12 * expression.browRaise }
        // The lower lip moves with the jaw; the corners of the mouth move a third of the way, and inwards.
        let (outer, inner) = (topology.outerLips, topology.innerLips)
        for pair in outer.pairs + inner.pairs { points[pair.lower].y += 0.95 * jawDrop }
        let corners = [outer.right, outer.left, inner.right, inner.left]
        for index in corners {
            points[index].y += 0.35 * jawDrop
            points[index].x *= 1 - 0.25 * jawDrop
        }
        for pair in inner.pairs { points[pair.upper].y -= 0.08 * jawDrop }
        for index in topology.jaw {
            let weight = smoothstep(0.5, 1.35, points[index].y)
            points[index].y += jawDrop * weight
        }
        // A smile pulls the corners of the mouth out and up.
        let smile = expression.smile
        let besideCorners = [outer.pairs.first, outer.pairs.last].flatMap { $0.map { [$0.upper, $0.lower] } ?? [] }
        for (indices, weight) in [(corners, Float(1)), (besideCorners, 0.5)] {
            for index in indices {
                points[index].x *= 1 + 0.18 * smile * weight
                points[index].y -= 0.10 * smile * weight
            }
        }
    }
}

func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = max(0, min(1, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)
}

func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ weight: Float) -> SIMD3<Float> { a + (b - a) * weight }
